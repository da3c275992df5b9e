import assert from "node:assert/strict";
import { test } from "node:test";
import { Esme } from "./esme.ts";
import { readOddDelivery } from "./odd-delivery.ts";
import { eventually, testSmsc } from "./rig.ts";

const STOP = "53544f50";

test("a delivery is written octet by octet as it was asked for, and comes again until it is acknowledged", async (t) => {
  const { smsc, port } = await testSmsc(t, { timing: { redeliverMs: 10 } });
  const esme = await Esme.bound(port);
  esme.acknowledges = 0x64;
  assert.ok(
    smsc.deliver({
      source: "08031234567",
      sourceTon: 2,
      destination: "2442",
      esmClass: 0x40,
      dataCoding: 0xf0,
      message: STOP,
      tlvs: [{ tag: 0x1e, value: "4142" }],
    }),
  );
  const first = await eventually(() => esme.deliveries[0]);
  assert.deepEqual(
    [first.source_addr_ton, first.source_addr, first.destination_addr, first.esm_class, first.data_coding],
    [2, "08031234567", "2442", 0x40, 0xf0],
  );
  assert.deepEqual([first.short_message.toString("hex"), first.tlvs[0]?.value.toString("hex")], [STOP, "4142"]);
  esme.acknowledges = 0;
  await eventually(() => esme.deliveries.length > 1);
  await eventually(() => smsc.stats.owed === 0);
});

test("what is wrong with a delivery is said by member, and without a receiver it is not owed", async (t) => {
  const { smsc } = await testSmsc(t);
  assert.equal(smsc.deliver({ source: "1", destination: "2" }), false);
  const wrong = readOddDelivery({ source: "1", esmClass: 256, message: "0", tlvs: [{ tag: 1 }], more: 1 });
  assert.deepEqual(wrong.ok ? [] : wrong.error.map((text) => text.split(":")[0]), [
    "more",
    "destination",
    "esmClass",
    "message",
    "tlvs",
  ]);
});
