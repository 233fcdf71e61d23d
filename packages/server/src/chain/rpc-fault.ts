/** The node did not answer, or not as one can use: the same may work later. */
export class RpcFault extends Error {
  override name = 'RpcFault';
}

/** The node finds that too much was asked for at once: less may work now. */
export class TooMuchAsked extends RpcFault {
  override name = 'TooMuchAsked';
}
