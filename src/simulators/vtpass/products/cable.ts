import type { Vend } from "../../vendors/store.repo.ts";
import { variationsOf } from "../catalogue.ts";
import type { Code } from "../codes.ts";
import { detailsOf } from "../details.ts";
import { type Asked, amountOf, digitsIn, international, isPhone, type SoldProduct, type Wanted } from "./product.ts";
import { isCard, renewalOf, verifyCard } from "./smartcard.ts";

/** The TV providers that renew a card's own bouquet: each purchase there says whether it does. */
const RENEWED: readonly string[] = ["dstv", "gotv"];
/** Sells vouchers to phones. */
const SHOWMAX = "showmax";
const SHOWMAX_FEE_KOBO = 10_000n;

export const CABLE: SoldProduct = {
  product: "cable",
  read(asked) {
    const { service, body, phone } = asked;
    const biller = digitsIn(body.billersCode);
    if (!isPhone(phone) || biller === undefined) return "011";
    if (service.id === SHOWMAX) return isPhone(biller) ? bouquetFor(asked, international(biller), phone) : "011";
    if (!/^\d{10,11}$/.test(biller)) return "011";
    if (!RENEWED.includes(service.id) || body.subscription_type === "change") return bouquetFor(asked, biller, phone);
    const amountKobo = body.subscription_type === "renew" ? amountOf(body.amount) : undefined;
    return amountKobo === undefined ? "011" : { recipient: biller, phone, variation: null, amountKobo };
  },
  limits({ recipient }, _chosen, world) {
    const isSold = recipient.startsWith("234") || isCard(world, recipient);
    return isSold ? { minimumKobo: 100n, maximumKobo: 100_000_000n } : "012";
  },
  notes({ recipient, variation, amountKobo }, _chosen, world, service) {
    const priceKobo =
      variation === null
        ? renewalOf(world, service, recipient)
        : variationsOf(world, service).find(({ code }) => code === variation)?.amountKobo;
    return {
      // An amount credits the decoder, and activates nothing when it is less than the price.
      activates: priceKobo !== undefined && priceKobo > 0n && amountKobo >= priceKobo,
      ...(service.id === SHOWMAX && { feeKobo: String(SHOWMAX_FEE_KOBO) }),
    };
  },
  block(vend) {
    if (detailsOf(vend).serviceId !== SHOWMAX) return {};
    const voucher = voucherOf(vend);
    return { purchased_code: voucher, Voucher: [voucher] };
  },
  verify: verifyCard,
};

/** Without an amount the bouquet's list price; with one, that. */
function bouquetFor({ service, body, world }: Asked, recipient: string, phone: string): Wanted | Code {
  const bouquet = variationsOf(world, service).find(({ code }) => code === body.variation_code);
  if (!bouquet) return "010";
  const amountKobo = body.amount === undefined ? bouquet.amountKobo : amountOf(body.amount);
  return amountKobo === undefined ? "011" : { recipient, phone, variation: bouquet.code, amountKobo };
}

/** The same at each question. */
const voucherOf = ({ id }: Vend): string => `SHM${String(id).padStart(6, "0")}VX7Q2M`;
