import type { Uuid } from "../../kernel/ids.ts";

/**
 * The `orderId` of an attempt: the order's id and the attempt's number. Its length and characters are those of a UUID, which
 * the vendor's own samples have.
 */
export const makeOrderId = ({ orderId, attempt }: { orderId: Uuid; attempt: number }): string =>
  `${orderId.replaceAll("-", "")}-${attempt}`;
