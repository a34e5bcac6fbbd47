"""Where the machine is in its own network."""

import socket

ELSEWHERE = ("192.0.2.1", 9)
"""TEST-NET-1 (RFC 5737), which is nobody's, so that the way there is the way to everywhere."""


def own_address() -> str:
    """Give the address that the network's other machines see, such as ``192.168.1.5``; empty without a network.

    Nothing is sent: a datagram socket that is told where it would send to only looks up the route.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        try:
            line.connect(ELSEWHERE)
        except OSError:
            return ""
        found = str(line.getsockname()[0])
    return "" if found.startswith(("127.", "0.")) else found
