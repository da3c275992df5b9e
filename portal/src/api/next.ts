/** Where a person wanted to be, kept while they sign in or up. */

/** An address within the portal, and nowhere else; not the sign-in, which leads on to it. */
export const within = (next: string | undefined): string => (next && /^\/(?![/\\]|sign-in\b)/.test(next) ? next : "/");

/** Where a person goes on to, as a full path: a page of the portal, or one of the documents, which are no part of it. */
export const addressOf = (next: string | undefined): string =>
  next && /^\/docs(?:[/#?]|$)/.test(next) ? next : `/portal${within(next)}`;

const NEXT = "afara.next";

interface Kept {
  readonly email: string;
  readonly next: string;
}

/** Past the mail's link, which leads home and may open in another tab. */
export const keepNext = (email: string, next: string): void =>
  localStorage.setItem(NEXT, JSON.stringify({ email: email.toLowerCase(), next } satisfies Kept));

/** Once, and for the person alone who signed up. */
export function takeNext(email: string): string | undefined {
  const kept = localStorage.getItem(NEXT);
  if (kept === null) return undefined;
  localStorage.removeItem(NEXT);
  const { email: whose, next } = JSON.parse(kept) as Kept;
  return whose === email.toLowerCase() ? within(next) : undefined;
}
