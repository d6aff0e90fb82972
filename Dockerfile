# docker build -t precedent .                                   without Chromium (no PDF reports)
# docker build -t precedent --build-arg BROWSER=chromium .      with it
# docker run --rm --network none -v "$PWD:/work" precedent assess paper.pdf --corpus library
FROM rust:1.95-slim-bookworm AS build
WORKDIR /source
RUN apt-get update && apt-get install -y --no-install-recommends gcc g++ libc6-dev && rm -rf /var/lib/apt/lists/*
COPY . .
RUN cargo build --locked --profile dist --package precedent-cli && cp target/dist/precedent /precedent

FROM debian:bookworm-slim
ARG BROWSER=""
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates ${BROWSER} \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 precedent
COPY --from=build /precedent /usr/local/bin/precedent
USER precedent
WORKDIR /work
ENTRYPOINT ["precedent"]
CMD ["--help"]
