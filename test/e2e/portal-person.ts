import type { Route } from "playwright-core";
import { type Instead, json } from "./portal-browser.ts";

const AT = "2026-11-27T09:00:00.000Z";
const LATER = "2026-11-29T08:12:00.000Z";

export type Role = "owner" | "developer" | "finance" | "viewer";

const pathOf = (route: Route): string => new URL(route.request().url()).pathname;

const gateway = { local: true, sign_up: "open" } as const;

export const NOBODY = { object: "session", person: null, csrf_token: null, accounts: [], gateway };

export const sessionOf = (role: Role) => ({
  object: "session",
  person: { id: "usr_1", name: "Ada Obi", email: "ada@example.com", email_verified: true, two_factor: false },
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
  created_at: AT,
  last_used_at: null,
  expires_at: null,
  revoked_at: null,
  ...more,
});

export const KEYS = [
  key("key_1", { last_used_at: LATER }),
  key("key_2", { mode: "live", starts: "afara_live_9Kd0", ends: "q7Yp", scopes: ["read", "send"] }),
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
  );
}
