interface RequestedItem {
  readonly strainId: string;
  readonly quantity: number;
}

/** Sums the quantities per strain. A request may repeat a strain id, in any letter case. */
export function sumQuantities(items: readonly RequestedItem[]): Map<string, number> {
  const quantities = new Map<string, number>();
  for (const { strainId, quantity } of items) {
    const id = strainId.toLowerCase();
    quantities.set(id, (quantities.get(id) ?? 0) + quantity);
  }
  return quantities;
}
