import { json, type VendorAnswer } from "../vendors/vendor.ts";
import type { VendorWorld } from "../vendors/world.ts";
import { isDown } from "./settings.ts";

/** The vendor's codes: Port Harcourt, Benin and Aba have names of their own. */
const DISCOS = ["ABUJA", "EKO", "IKEJA", "IBADAN", "ENUGU", "PH", "JOS", "KADUNA", "KANO", "BH", "YOLA", "APLE"];
/** What else is sold under the same map. */
const OTHERS = { PROTOGY: false, KOIOS: false, MTN: true, GLO: false, "9MOBILE": false, DSTV: true };

export const isDisco = (code: unknown): code is string => typeof code === "string" && DISCOS.includes(code);

/** GET /discos/status: a bare map, without the envelope. */
export const answerStatus = (world: VendorWorld): VendorAnswer =>
  json({ ...Object.fromEntries(DISCOS.map((code) => [code, !isDown(world, code)])), ...OTHERS });
