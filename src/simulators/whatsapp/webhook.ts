import { SIGNATURE_HEADER, signatureOf } from "../../providers/whatsapp-cloud/wire/signature.ts";
import type { VendorWorld } from "../vendors/world.ts";
import type { SimulatedNumber } from "./settings.ts";

/**
 * JSON as Meta writes it: everything beyond ASCII, `@` and `<` as \u00xx, and `/` as \/. Whoever checks the signature over
 * JSON that was read and written again fails.
 */
export const inMetasJson = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll("/", "\\/")
    .replaceAll(/[@<\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Owes one webhook about a number: `items` are `{statuses: […]}`, `{messages: […], contacts: […]}` or both. */
export function tell(world: VendorWorld, at: number, { number, phoneNumberId }: SimulatedNumber, items: object): void {
  sendSigned(world, at, envelope(world, number, phoneNumberId, items), String(world.setting("appSecret")));
}

/** The same from somebody who does not know the app secret. */
export function tellForged(
  world: VendorWorld,
  at: number,
  { number, phoneNumberId }: SimulatedNumber,
  items: object,
): void {
  sendSigned(world, at, envelope(world, number, phoneNumberId, items), "not the secret");
}

const envelope = (world: VendorWorld, number: string, phoneNumberId: string, items: object): object => ({
  object: "whatsapp_business_account",
  entry: [
    {
      id: String(world.setting("wabaId")),
      changes: [
        {
          field: "messages",
          value: {
            messaging_product: "whatsapp",
            metadata: { display_phone_number: number, phone_number_id: phoneNumberId },
            ...items,
          },
        },
      ],
    },
  ],
});

function sendSigned(world: VendorWorld, at: number, body: object, secret: string): void {
  const text = inMetasJson(body);
  world.callBack(at, text, { [SIGNATURE_HEADER]: signatureOf(secret, text) });
}
