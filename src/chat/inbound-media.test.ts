import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS } from "../kernel/duration.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import type { InboundChat } from "../ports/chat-payload.ts";
import { makeTestAccount } from "../testing/account.ts";
import { makeTestDatabase, SILENT } from "../testing/database.ts";
import { StandingClock } from "../testing/http-rig.ts";
import { recordChatInbound } from "./inbound.repo.ts";
import { makeInboundMedia } from "./inbound-media.ts";

const db = (await makeTestDatabase()).open();
const clock = new StandingClock();

/** An account with a number, and people who send it files of this type. */
async function rig(mimeType = "image/png") {
  const { accountId } = await makeTestAccount(db, { secret: "pepper", plan: "scale", balance: "1.00" });
  const number = `2347${String(Math.floor(Math.random() * 1e9)).padStart(9, "0")}`;
  await db.query("insert into chat_numbers values ($1, 'test', 'v', $2, now())", [number, accountId]);
  let fetched = 0;
  const downloadMedia = async () => {
    fetched += 1;
    return { bytes: Buffer.from("a file"), mimeType };
  };
  const run = makeInboundMedia({
    db,
    clock,
    log: SILENT,
    providers: new Map([["v", { downloadMedia }]]),
    keptMs: 30 * DAY_MS,
  });
  const sends = async (): Promise<Uuid> => {
    const id = newUuid();
    const facts: InboundChat = { type: "image", media: { id, mime_type: "image/png" } };
    const message = {
      providerReference: id,
      from: "2348030000001",
      to: number,
      text: "",
      at: clock.now(),
      facts: { ...facts },
    };
    await recordChatInbound(db, "v", "test", id, message, clock.now());
    return id;
  };
  const kept = async (id: Uuid) =>
    (await db.query("select state, mime_type from chat_inbound_media where message_id = $1", [id])).rows[0];
  return { run, sends, kept, fetched: () => fetched };
}

test("a file is kept, and one of a type that is none as bytes of no type", async () => {
  const { run, sends, kept } = await rig("image/\0png");
  const id = await sends();
  await run();
  assert.deepEqual(await kept(id), { state: "kept", mime_type: "application/octet-stream" });
});

test("whoever writes can't fill the disk: past its bound an account's next file is not fetched, and another account's is", async () => {
  const [full, other] = [await rig(), await rig()];
  const first = await full.sends();
  await full.run();
  await db.query("update chat_inbound_media set size = 1 << 30 where message_id = $1", [first]);
  const [second, theirs] = [await full.sends(), await other.sends()];
  await full.run();
  assert.equal((await full.kept(second))?.state, "unavailable");
  assert.equal((await full.kept(theirs))?.state, "kept");
  assert.equal(full.fetched(), 2);
});
