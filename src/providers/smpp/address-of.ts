/** Type of number: national. SMPP 3.4, section 5.2.5. */
const TON_NATIONAL = 2;

/**
 * An address without `+`. A national number whose trunk 0 was left out gets it, because without its type nobody could tell it from
 * an international one.
 */
export const addressOf = (address: string, ton: number): string =>
  ton === TON_NATIONAL && /^[1-9]\d{9}$/.test(address) ? `0${address}` : address.replace(/^\+/, "");
