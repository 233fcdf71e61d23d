/** The node gave no usable response. A retry may succeed later. */
export class RpcFault extends Error {
  override name = 'RpcFault';
}

/** The requested range is too large for the node. A shorter range may succeed now. */
export class RangeTooLarge extends RpcFault {
  override name = 'RangeTooLarge';
}
