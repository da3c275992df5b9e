/** Meta writes Unix seconds as a text; what can't be read counts from when it came. */
export function timeOf(timestamp: unknown, receivedAt: Date): Date {
  const isSeconds =
    (typeof timestamp === "string" || typeof timestamp === "number") && /^\d{9,11}$/.test(`${timestamp}`);
  return isSeconds ? new Date(Number(timestamp) * 1_000) : receivedAt;
}
