/** What the portal's session tells these pages. */
export interface Session {
  readonly person: { readonly name: string } | null;
  readonly csrf_token: string | null;
  readonly accounts: readonly { readonly id: string; readonly name: string; readonly role: string }[];
}

let asked: Promise<Session> | undefined;

/** Asked for once a page, and again after a failure. */
export function theSession(): Promise<Session> {
  asked ??= ask().catch((error: unknown) => {
    asked = undefined;
    throw error;
  });
  return asked;
}

/** After it has ended. */
export const forgetSession = (): void => {
  asked = undefined;
};

async function ask(): Promise<Session> {
  const response = await fetch("/portal/api/session");
  if (!response.ok) throw new Error(`The session was refused (${response.status})`);
  return (await response.json()) as Session;
}

/** The account that was last looked at in the portal goes first. */
export function accountsOf({ accounts }: Session): Session["accounts"] {
  const last = sessionStorage.getItem("afara.account") ?? localStorage.getItem("afara.account");
  return accounts.toSorted((a, b) => Number(b.id === last) - Number(a.id === last));
}

/** The sign-in, which leads back to here. */
export const signInUrl = (anchor: string): string =>
  `/portal/sign-in?next=${encodeURIComponent(`${location.pathname}#${anchor}`)}`;
