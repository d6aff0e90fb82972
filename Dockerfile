# docker build -t precedent .                                   without Chromium (no PDF reports)
# docker build -t precedent --build-arg BROWSER=chromium .      with it
# docker run --rm --network none --user "$(id -u):$(id -g)" -v "$PWD:/work" precedent assess paper.pdf --corpus library
# packaging/image.sh has the steps, packaging/compose.yaml runs the server.
FROM rust:1.95-slim-bookworm AS build
WORKDIR /source
RUN apt-get update && apt-get install -y --no-install-recommends gcc g++ libc6-dev && rm -rf /var/lib/apt/lists/*
COPY . .
RUN packaging/image.sh build /out

FROM debian:bookworm-slim
ARG BROWSER=""
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates ${BROWSER} \
    && rm -rf /var/lib/apt/lists/*
RUN --mount=type=bind,from=build,source=/out,target=/out /out/image.sh install /out/precedent /
# Also for users without a home, who are given with --user.
ENV HOME=/tmp
USER precedent
WORKDIR /work
ENTRYPOINT ["precedent"]
CMD ["--help"]
