import type { Route } from "playwright-core";
import { type Instead, json } from "./portal-browser.ts";

const AT = "2026-11-27T09:00:00.000Z";
const LATER = "2026-11-29T08:12:00.000Z";

export type Role = "owner" | "developer" | "finance" | "viewer";

const pathOf = (route: Route): string => new URL(route.request().url()).pathname;

const gateway = { local: true, sign_up: "open" } as const;

export const NOBODY = { object: "session", person: null, operator: false, csrf_token: null, accounts: [], gateway };

export const sessionOf = (role: Role, more: object = {}) => ({
  object: "session",
  person: {
    id: "usr_1",
    name: "Ada Obi",
    email: "ada@example.com",
    email_verified: true,
    two_factor: false,
    has_password: true,
    passkeys: 2,
    ...more,
  },
  operator: false,
  csrf_token: "a token",
  accounts: [
    { id: "acc_1", name: "Ada’s Pharmacy", role },
    { id: "acc_2", name: "Lagos Logistics", role: "viewer" },
  ],
  gateway,
});

const key = (id: string, more: object = {}) => ({
  id,
  object: "key",
  mode: "test",
  starts: "afara_test_Ab12",
  ends: "wxyz",
  scopes: ["read", "send", "vend"],
  services: null,
  made_by: null,
  created_at: AT,
  last_used_at: null,
  expires_at: null,
  revoked_at: null,
  ...more,
});

const GONE = { id: "usr_9", name: "Chidi Eze", member: false };

export const KEYS = [
  key("key_1", { last_used_at: LATER, made_by: { id: "usr_1", name: "Ada Obi", member: true } }),
  key("key_2", { mode: "live", starts: "afara_live_9Kd0", ends: "q7Yp", scopes: ["read", "send"], made_by: GONE }),
  key("key_3", { revoked_at: LATER, ends: "Zz01" }),
];

export const MAILS = [
  {
    id: "mail_1",
    to: "ada@example.com",
    subject: "Open your Afara account",
    text: "Welcome to Afara.\n\nThis link opens your account. It works once, for an hour.",
    links: ["http://localhost:8080/portal/api/auth/verify-email?token=abc"],
    at: LATER,
  },
];

const ACCOUNT = { id: "acc_1", name: "Ada’s Pharmacy" };
const SOON = "2026-12-06T08:12:00.000Z";

const invitation = (id: string, email: string, role: Role) => ({
  id,
  object: "invitation",
  account: ACCOUNT,
  email,
  role,
  created_at: LATER,
  expires_at: SOON,
});

const session = (id: string, more: object) => ({
  id,
  object: "portal_session",
  ip_address: "102.89.23.14",
  user_agent: "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/141.0 Mobile Safari/537.36",
  current: false,
  created_at: AT,
  last_used_at: LATER,
  ...more,
});

/** What people read of a team and of themselves. */
const PEOPLE: Readonly<Record<string, readonly object[]>> = {
  "/portal/api/auth/organization/list-members": [
    { id: "usr_1", object: "member", name: "Ada Obi", email: "ada@example.com", role: "owner", created_at: AT },
    {
      id: "usr_2",
      object: "member",
      name: "Oluwaseun Adebayo-Okonkwo",
      email: "oluwaseun.adebayo-okonkwo@adas-pharmacy.example.ng",
      role: "developer",
      created_at: LATER,
    },
  ],
  "/portal/api/auth/organization/list-member-keys": [
    { id: "key_2", object: "member_key", mode: "live", starts: "afara_live_9Kd0", ends: "q7Yp", scopes: ["read"] },
  ],
  "/portal/api/auth/organization/list-invitations": [
    invitation("inv_2", "accounts-department@adas-pharmacy.example.ng", "finance"),
  ],
  "/portal/api/auth/organization/list-user-invitations": [invitation("inv_1", "ada@example.com", "viewer")],
  "/portal/api/auth/passkey/list-user-passkeys": [
    { id: "psk_1", object: "passkey", name: "Chrome on Android", created_at: AT, last_used_at: LATER },
    { id: "psk_2", object: "passkey", name: "Key in the drawer", created_at: AT, last_used_at: null },
  ],
  "/portal/api/auth/list-sessions": [
    session("ses_1", { current: true, ip_address: "127.0.0.1" }),
    session("ses_2", { created_at: LATER }),
  ],
};

/** What an account has none of. */
const LISTS = ["/portal/api/views", "/portal/api/requests", "/portal/api/deliveries"];

const SETUP = {
  object: "second_factor",
  totpURI: "otpauth://totp/Afara:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXPJBSWY3DPEHPK&issuer=Afara",
  backupCodes: ["Ab12C-d34Ef", "Gh56I-j78Kl", "Mn90O-p12Qr", "St34U-v56Wx", "Yz78A-b90Cd"],
};

/** Answers of `/portal/api` for somebody who is signed in, or for nobody. What is made in it stays for the page. */
export function personWith(
  session: object,
  { keys = KEYS, mails = MAILS }: { keys?: object[]; mails?: object[] } = {},
): Instead {
  const made = [...keys];
  return (route) => {
    const path = pathOf(route);
    const isWrite = route.request().method() === "POST";
    if (path === "/portal/api/session") return json(route, session);
    if (path === "/portal/api/outbox") return json(route, { object: "list", data: mails });
    if (path === "/portal/api/keys" && isWrite) {
      const mode = route.request().headers()["afara-mode"];
      const created = key(`key_${made.length + 1}`, { mode, starts: `afara_${mode}_0123` });
      made.unshift(created);
      return json(route, { ...created, key: `afara_${mode}_0123456789ABCDEFGHIJabcdefghij29wxyz` }, 201);
    }
    if (path === "/portal/api/keys") return json(route, { object: "list", data: made, has_more: false });
    if (LISTS.includes(path)) return json(route, { object: "list", data: [], has_more: false });
    if (PEOPLE[path]) return json(route, { object: "list", data: PEOPLE[path] });
    if (path === "/portal/api/auth/two-factor/enable") return json(route, SETUP);
    if (path.startsWith("/portal/api/auth/")) return json(route, {});
    return undefined;
  };
}

/** The first of these that has an answer gives it. */
export const either =
  (...all: readonly Instead[]): Instead =>
  (route) => {
    for (const one of all) {
      const answer = one(route);
      if (answer) return answer;
    }
    return undefined;
  };

/** Answers one path of the API by hand. */
export const at =
  (path: string, body: unknown, status = 200): Instead =>
  (route) =>
    pathOf(route) === path ? json(route, body, status) : undefined;

/** An account that has done nothing yet, and can subscribe. */
export function newcomer(): Instead {
  const subscribed: object[] = [];
  return either(
    (route) => {
      const path = pathOf(route);
      if (path === "/subscriptions") return json(route, { object: "list", data: subscribed, has_more: false });
      const service = /^\/subscriptions\/(\w+)$/.exec(path)?.[1];
      if (!service) return undefined;
      const plan = {
        object: "plan",
        id: "free",
        name: "Free",
        fee: { amount: "0.00", currency: "NGN" },
        free: true,
        quota: 100,
      };
      const subscription = {
        object: "subscription",
        service,
        name: service.toUpperCase(),
        plan,
        since: AT,
        renews_at: null,
      };
      subscribed.push(subscription);
      return json(route, { ...subscription, charged: { amount: "0.00", currency: "NGN" } });
    },
    at("/orders", { object: "list", data: [], has_more: false }),
    at("/portal/api/orders", { object: "list", data: [], has_more: false }),
  );
}
