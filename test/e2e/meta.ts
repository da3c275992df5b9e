import assert from "node:assert/strict";
import { signatureOf } from "../../src/providers/whatsapp-cloud/wire/signature.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import type { ReceivedMessage } from "./chats.ts";
import { phone, type Subscriber, type startRig } from "./rig.ts";

/** What Meta tells of people, through the signed callback; each account has a number of its own. */

type Rig = Awaited<ReturnType<typeof startRig>>;

export const SECRET = "simulated-app-secret";
const ids = { last: 0 };
/** A name of a message that no other has. */
export const nextId = (): string => `wamid.told.${++ids.last}`;

export async function metaAccount(rig: Rig) {
  const who = await rig.subscriber({ also: { chat: "scale" }, balance: "10000.00" });
  // Its number is given to it at its first use.
  const path = `/test/handsets/${encodeURIComponent(phone(900))}/messages`;
  const { body: written } = await who.post<{ to: string }>(path, { channel: "chat", message: "Hello" });
  const number = written.to.slice(1);
  const metadata = {
    display_phone_number: number,
    phone_number_id: String(200_000_000_000_001 + (Number(number) - 2_347_000_000_001)),
  };
  const tell = async (field: string, items: object) => {
    const value = { messaging_product: "whatsapp", metadata, ...items };
    const body = JSON.stringify({
      object: "whatsapp_business_account",
      entry: [{ id: "100000000000001", changes: [{ field, value }] }],
    });
    const headers = { "content-type": "application/json", "x-hub-signature-256": signatureOf(SECRET, body) };
    const callback = `${rig.gateway.base}/callbacks/whatsapp-simulator`;
    const response = await fetch(callback, { method: "POST", body, headers });
    assert.equal(response.status, 200, await response.text());
  };
  /** Gives the message's name. */
  const write = async (message: object): Promise<string> => {
    const id = nextId();
    await tell("messages", { messages: [{ id, timestamp: String(Math.floor(Date.now() / 1_000)), ...message }] });
    return id;
  };
  const says = (person: object, body: string) => write({ ...person, type: "text", text: { body } });
  return { who, number, tell, write, says };
}

/** Resolves once the vendor's templates were listed, which a busy machine may not manage at the first try. */
export const templatesListed = (rig: Rig): Promise<true> =>
  waitFor("the list of templates", async () =>
    (await rig.db.query("select from chat_template_lists")).rowCount === 0 ? undefined : true,
  );

export const digits = (to: string): string => to.slice(1);
/** An id of a user as Meta makes them. */
export const userId = (index: number): string => `NG.1349120865530274${String(index).padStart(4, "0")}`;

/** What a person wrote to the account, the newest first. */
export async function inbound(
  who: Pick<Subscriber, "get">,
  of: string,
): Promise<readonly (ReceivedMessage & Readonly<Record<string, unknown>>)[]> {
  const path = `/chat/messages?direction=inbound&phone=${encodeURIComponent(of)}`;
  return (await who.get<{ data: readonly (ReceivedMessage & Readonly<Record<string, unknown>>)[] }>(path)).body.data;
}
