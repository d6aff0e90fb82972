use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether `address` belongs to the public internet. Loopback, private, link-local, shared, documentation, multicast and reserved ranges do not.
/// Neither do IPv6 forms that contain an IPv4 address (mapped, 6to4, Teredo, NAT64), whatever that address is, because links found in documents do
/// not need them.
///
/// Ranges: IANA's IPv4 and IPv6 Special-Purpose Address Registries.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// Whether `address` is this machine or in a range for private networks.
pub(crate) fn is_own_network(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_loopback() || address.is_private() || is_shared(address),
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(inner) => is_own_network(IpAddr::V4(inner)),
            None => address.is_loopback() || address.is_unique_local(),
        },
    }
}

/// Whether `address` is this machine.
pub(crate) fn is_this_machine(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_loopback(),
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(inner) => inner.is_loopback(),
            None => address.is_loopback(),
        },
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = a == 0
        || address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_documentation()
        || is_shared(address)
        || (a == 192 && b == 0 && c == 0)
        || (a == 192 && b == 88 && c == 99)
        || (a == 198 && (b == 18 || b == 19))
        || a >= 224;
    !special
}

fn is_shared(address: Ipv4Addr) -> bool {
    let [a, b, ..] = address.octets();
    a == 100 && (64..128).contains(&b)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, ..] = address.segments();
    // Only 2000::/3 is allocated at all, and some blocks in it are special.
    let given_out = a & 0xe000 == 0x2000;
    let special = a == 0x2002 || (a == 0x2001 && (b < 0x0200 || b == 0x0db8)) || (a == 0x3fff && b < 0x1000);
    given_out && !special
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_public_internet_is_public() {
        for public in [
            "8.8.8.8",
            "151.101.3.42",
            "172.32.0.1",
            "100.128.0.1",
            "2606:4700::1111",
            "2a00:1450::5",
        ] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for closed in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "127.0.0.1",
            "127.8.8.8",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "100.64.0.1",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.9",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:10.0.0.1",
            "::ffff:8.8.8.8",
            "64:ff9b::a00:1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:a00:1::",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(closed.parse().unwrap()), "{closed}");
        }
    }

    #[test]
    fn private_networks_are_recognised() {
        for own in [
            "127.0.0.1",
            "::1",
            "10.1.2.3",
            "192.168.0.9",
            "172.20.0.1",
            "100.100.0.1",
            "fd00::1",
            "::ffff:10.0.0.1",
        ] {
            assert!(is_own_network(own.parse().unwrap()), "{own}");
        }
        for other in ["8.8.8.8", "169.254.169.254", "2606:4700::1111", "0.0.0.0", "::"] {
            assert!(!is_own_network(other.parse().unwrap()), "{other}");
        }
        assert!(is_this_machine("127.0.0.1".parse().unwrap()));
        assert!(is_this_machine("::ffff:127.0.0.1".parse().unwrap()));
        assert!(!is_this_machine("10.0.0.1".parse().unwrap()));
    }
}
