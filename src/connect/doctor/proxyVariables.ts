const proxies = ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'];

/** Names of the variables by which programs ask a proxy for `http://127.0.0.1`; none when `NO_PROXY` leaves it out. */
export function proxyVariables(environment: NodeJS.ProcessEnv): readonly string[] {
  const exceptions = [environment['no_proxy'], environment['NO_PROXY']]
    .flatMap((value) => (value ?? '').split(/[\s,]+/))
    .filter(Boolean);
  if (exceptions.some(exceptsLoopback)) return [];
  return proxies.filter((name) => environment[name] !== undefined && environment[name] !== '');
}

/** `localhost` is a name of its own, and does not cover the address. */
function exceptsLoopback(exception: string): boolean {
  return /^(\*|127\.0\.0\.1(:\d+)?|127\.0\.0\.0\/8|127\.\*|127\.)$/.test(exception);
}
