import assert from "node:assert/strict";
import { test } from "node:test";
import parsePhoneNumber from "libphonenumber-js/max";
import { storedMsisdn } from "./msisdn.ts";
import { guessNetwork, NETWORKS, networkOfMccMnc, parseNetwork } from "./networks.ts";

const GUESSES: readonly (readonly [number: string, network: string | null])[] = [
  ["2348031234567", "mtn"],
  ["2349161234567", "mtn"],
  ["2347025123456", "mtn"],
  ["2347026123456", "mtn"],
  ["2348021234567", "airtel"],
  ["2349121234567", "airtel"],
  ["2348051234567", "glo"],
  ["2349151234567", "glo"],
  ["2348091234567", "9mobile"],
  ["2349091234567", "9mobile"],
  ["2348000000001", "mtn"],
  ["2347021234567", null],
  ["2347071234567", null],
  ["2348041234567", null],
  ["2348011234567", null],
  ["4478031234567", null],
];
for (const [number, network] of GUESSES) {
  test(`+${number} guesses ${network}`, () => assert.equal(guessNetwork(storedMsisdn(number)), network));
}

test("a network is guessed for mobile numbers only, and every network is guessed for some", () => {
  const guessed = new Set<string>();
  for (let prefix = 7000; prefix <= 9999; prefix++) {
    const msisdn = storedMsisdn(`234${prefix}123456`);
    const network = guessNetwork(msisdn);
    if (network === null) continue;
    guessed.add(network);
    assert.equal(parsePhoneNumber(`+${msisdn}`)?.getType(), "MOBILE", msisdn);
  }
  assert.deepEqual([...guessed].sort(), [...NETWORKS].sort());
});

test("T2 and Etisalat are names of 9mobile, in any case, and other words are no network", () => {
  for (const name of ["9mobile", "9MOBILE", "T2", " t2 ", "Etisalat"]) assert.equal(parseNetwork(name), "9mobile");
  for (const name of ["", "smile", "constructor", "__proto__"]) assert.equal(parseNetwork(name), undefined);
});

test("a report's MCC and MNC name the network, and those of other countries name none", () => {
  assert.deepEqual(["62120", "621-30", "621 50", "62160"].map(networkOfMccMnc), ["airtel", "mtn", "glo", "9mobile"]);
  assert.deepEqual(["62199", "23430", "", "toString"].map(networkOfMccMnc), [
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
