/** Whether a host name, as `URL.hostname` gives it, always means this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}

/** Whether the address of a connection is one of the loopback interface. */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address === '::1' || (address !== undefined && /^(::ffff:)?127\./i.test(address));
}
