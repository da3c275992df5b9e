/** A person's id with this business, as the network tells it beside the phone; the person may hide the phone behind it. */
export const userIdOf = (address: string): string => (/^\d+$/.test(address) ? `NG.1349120${address}` : address);

/** Whom an id names: the phone it was made of, or somebody whose phone is unknown. Undefined: it is no such id. */
export function addressOf(userId: unknown): string | undefined {
  if (typeof userId !== "string") return undefined;
  const [, phone] = /^NG\.1349120(\d{11,15})$/.exec(userId) ?? [];
  return phone ?? (/^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/.test(userId) ? userId : undefined);
}
