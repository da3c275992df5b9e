import { MemoryCounters } from "../counters/memory-counters.ts";
import type { Database } from "../db/database.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { makePeoplePart, type PeopleParts } from "../people/index.ts";
import type { TestDatabase } from "./database.ts";
import { makeRig } from "./http-rig.ts";
import { waitFor } from "./wait-for.ts";
import { MovableClock } from "./webhooks-rig.ts";

export const LOCAL_ORIGIN = "http://localhost:8080";
export const GOOD_PASSWORD = "swift otters climb 7 hills";
const AUTH = "/portal/api/auth";

export interface Answered<Body> {
  readonly status: number;
  readonly body: Body;
  readonly text: string;
  readonly setCookies: readonly string[];
  readonly headers: Readonly<Record<string, unknown>>;
}

interface Shown {
  readonly object: string;
  readonly person: { readonly id: string; readonly email: string; readonly name: string } | null;
  readonly operator: boolean;
  readonly csrf_token: string | null;
  readonly accounts: readonly { readonly id: string; readonly name: string; readonly role: string }[];
  readonly gateway: { readonly local: boolean; readonly sign_up: string };
}

/** Sign-in on an HTTP app of its own, with the mails of a local gateway in view. */
export async function makePeopleRig(database: TestDatabase, db: Database, more: Partial<PeopleParts> = {}) {
  const clock = new MovableClock();
  const part = makePeoplePart({
    db,
    clock,
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: console.error },
    file: {},
    onOffer: { services: {}, playMoney: "1000.00" },
    secret: "secret of the tests",
    connection: database.connection,
    counters: new MemoryCounters(clock),
    isLocal: true,
    publicUrl: undefined,
    mail: undefined,
    ...more,
  });
  const { app, lines } = await makeRig({ options: { clock, refusals: [part.refusals] } });
  part.serve(app);
  const origin = more.publicUrl ?? LOCAL_ORIGIN;

  /** Somebody's browser: keeps cookies, and says where its requests come from. */
  function browser(address = "127.0.0.1") {
    const jar = new Map<string, string>();
    let csrf: string | null = null;

    async function ask<Body = Record<string, unknown>>(
      method: "GET" | "POST",
      url: string,
      body?: object,
      headers: Readonly<Record<string, string | undefined>> = {},
    ): Promise<Answered<Body>> {
      const all: Record<string, string | undefined> = {
        host: new URL(origin).host,
        ...(method === "POST" && { origin }),
        "sec-fetch-site": "same-origin",
        "user-agent": "Firefox of the tests",
        ...(jar.size > 0 && { cookie: [...jar].map((pair) => pair.join("=")).join("; ") }),
        ...(csrf && method === "POST" && { "afara-csrf": csrf }),
        ...(body && { "content-type": "application/json" }),
        ...headers,
      };
      const answer = await app.inject({
        method,
        url,
        remoteAddress: address,
        headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
        ...(body && { payload: JSON.stringify(body) }),
      });
      const setCookies = [answer.headers["set-cookie"] ?? []].flat();
      for (const cookie of setCookies) {
        const [pair = "", ...attributes] = cookie.split("; ");
        const [name = "", ...value] = pair.split("=");
        if (attributes.includes("Max-Age=0")) jar.delete(name);
        else jar.set(name, value.join("="));
      }
      const isJson = /json/.test(String(answer.headers["content-type"]));
      return {
        status: answer.statusCode,
        text: answer.body,
        body: (isJson ? answer.json() : undefined) as Body,
        setCookies,
        headers: answer.headers,
      };
    }

    const mine = {
      jar,
      ask,
      post: <Body = Record<string, unknown>>(
        path: string,
        body?: object,
        headers?: Record<string, string | undefined>,
      ) => ask<Body>("POST", `${AUTH}${path}`, body, headers),
      get: <Body = Record<string, unknown>>(path: string) => ask<Body>("GET", `${AUTH}${path}`),
      /** Who is signed in here; keeps the token for what changes something. */
      async session(): Promise<Shown> {
        const { body } = await ask<Shown>("GET", "/portal/api/session");
        csrf = body.csrf_token;
        return body;
      },
      async signIn(email: string, password = GOOD_PASSWORD) {
        const answered = await mine.post("/sign-in/email", { email, password });
        if (answered.status === 200) await mine.session();
        return answered;
      },
      /** Signs up, opens the link of the mail, and is signed in. */
      async join(name = "Ada") {
        const email = newEmail();
        const signedUp = await mine.post("/sign-up/email", { name, email, password: GOOD_PASSWORD });
        if (signedUp.status !== 200) throw new Error(signedUp.text);
        await mine.follow(await linkTo(email));
        return { email, session: await mine.session() };
      },
      /** Opens a link as a mail program does. */
      follow: (link: string) =>
        ask("GET", link.replace(/^https?:\/\/[^/]+/, ""), undefined, { "sec-fetch-site": "cross-site" }),
    };
    return mine;
  }

  /** Mails to an address, the newest first. */
  async function mailsTo(email: string) {
    const { rows } = await db.query<{ subject: string; text: string }>(
      "select subject, text from auth_outbox where recipient = $1 order by id desc",
      [email],
    );
    return rows;
  }

  /** The link of the newest mail to an address, once there are so many. */
  async function linkTo(email: string, count = 1): Promise<string> {
    const mails = await waitFor(`mail ${count} to ${email}`, async () => {
      const found = await mailsTo(email);
      return found.length >= count && found;
    });
    return /https?:\/\/\S+/.exec(mails[0]!.text)![0];
  }

  return { app, clock, db, lines, part, browser, mailsTo, linkTo, origin };
}

export type PeopleRig = Awaited<ReturnType<typeof makePeopleRig>>;

let made = 0;
/** Of a person that no other test knows. */
export const newEmail = (): string => `person${++made}@example.com`;

export const tokenOf = (link: string): string => new URL(link).searchParams.get("token")!;

export async function accountOf(db: Database, email: string): Promise<Uuid> {
  const { rows } = await db.query<{ account_id: Uuid }>(
    "select m.account_id from account_members m join auth_people p on p.id = m.person_id where p.email = $1",
    [email],
  );
  return rows[0]?.account_id ?? newUuid();
}
