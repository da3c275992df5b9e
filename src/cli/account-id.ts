import { decodeId, type Uuid } from "../kernel/ids.ts";
import { CannotRun } from "./report.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `acc_01k…`, or the UUID as logs have it. */
export function accountIdOf(text: string): Uuid {
  const id = UUID.test(text) ? (text as Uuid) : decodeId("acc", text);
  if (id) return id;
  throw new CannotRun(`"${text}" is not an account's id (acc_… or a UUID); ./afara account list shows them`);
}
