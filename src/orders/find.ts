import { parseChatAddress } from "../kernel/chat-address.ts";
import { decodeId, GROUP_PREFIX, type IdPrefix } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import type { OrderNames } from "./listing.repo.ts";
import type { ShownService } from "./service.ts";

/** What a person typed to find orders: a phone, a meter, a smartcard, an id or a reference; which of them, only the orders tell. */
export function namesIn(text: string, services: readonly ShownService[], mode: Mode): OrderNames {
  const reference = text.trim();
  const prefixes = new Set<IdPrefix>([...services.map(({ definition }) => definition.idPrefix), GROUP_PREFIX]);
  const ids = [...prefixes].flatMap((prefix) => decodeId(prefix, reference.toLowerCase()) ?? []);
  const address = parseChatAddress(reference, mode);
  const things = services.flatMap(({ definition }) => {
    const read = definition.recipient?.read(reference);
    return read?.ok ? read.value : [];
  });
  return { ids, recipients: [...new Set([...(address.ok ? [address.value] : []), ...things])], reference };
}
