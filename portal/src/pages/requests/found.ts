const REQUEST_ID = /^req_[a-z0-9]{26}$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ORDER_ID = /^(?:msg|pur|blk|trf)_[a-z0-9]{26}$/;

export const isRequestId = (text: string): boolean => REQUEST_ID.test(text);

/** A request's id opens it; an order's id or an error code filters by it. */
export function found(text: string) {
  if (isRequestId(text)) return { request: text.toLowerCase() };
  return ORDER_ID.test(text) ? { order: text, code: "" } : { order: "", code: text.toLowerCase() };
}
