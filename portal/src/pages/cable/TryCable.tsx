import { NativeSelect, TextInput } from "@mantine/core";
import { type ChangeEvent, useState } from "react";
import { problemOf } from "../../api/problem.ts";
import { Money, moneyText } from "../../pieces/Money.tsx";
import { PriceBox, PriceLine } from "../../pieces/PriceBox.tsx";
import { Television } from "../../pieces/Television.tsx";
import { Customer } from "../service/Customer.tsx";
import styles from "../service/TryIt.module.css";
import { TryIt } from "../service/TryIt.tsx";
import { useCheck, useOrder, useTestWallet } from "../service/try.queries.ts";
import { BouquetFields, type Kind } from "./BouquetFields.tsx";
import {
  type CableDraft,
  checkCable,
  type TvProvider,
  useBouquets,
  useBuyCable,
  usePaidCard,
  useTvProviders,
  useVerifyCard,
} from "./cable.queries.ts";
import { screenOf } from "./screen.ts";

const FIRST = { provider: "dstv" as TvProvider, card: "1212121212", to: "08031234567", plan: "" };

/** What was verified is no more: it is verified anew. */
const CHANGED = ["smartcard_changed", "price_changed"];

/** A bouquet for a simulated smartcard, or a voucher for a phone. */
export function TryCable() {
  const [typed, setTyped] = useState(FIRST);
  const [wanted, want] = useState<Kind>("renew");
  const providers = useTvProviders();
  const provider = providers.data?.data.find(({ code }) => code === typed.provider);
  const hasCard = provider?.verify ?? true;
  const verify = useVerifyCard();
  const buy = useBuyCable();
  const refusal = buy.error ?? verify.error;
  const problem = refusal ? problemOf(refusal) : undefined;
  const found = hasCard && !CHANGED.includes(problem?.code ?? "") ? verify.data : undefined;
  const kinds = (provider?.kinds ?? []).filter((kind) => kind !== "renew" || found?.renewal_amount);
  const kind = kinds.includes(wanted) ? wanted : "change";
  const bouquets = useBouquets(typed.provider);
  const plan = bouquets.data?.find(({ plan_id }) => plan_id === typed.plan) ?? bouquets.data?.[0];

  const cardDraft = { smartcard_number: typed.card, provider: typed.provider };
  const draft: CableDraft = {
    ...(hasCard && { smartcard_number: typed.card }),
    provider: typed.provider,
    kind,
    ...(kind === "change" && plan && { plan_id: plan.plan_id }),
    to: typed.to,
  };
  const isKnown = !hasCard || found !== undefined;
  const purchase = isKnown ? { ...draft, ...(found && { verification_id: found.verification_id }) } : undefined;
  const isComplete = typed.to !== "" && (kind === "renew" || plan !== undefined);
  const { answer, error } = useCheck("cable", isComplete ? purchase : undefined, checkCable);
  const wallet = useTestWallet();
  const order = useOrder(buy.data?.id);
  const now = order.data ?? buy.data;

  const paidCard = usePaidCard(cardDraft, found && now?.status === "successful" ? now.id : undefined);

  const change = (field: keyof typeof typed) => (event: ChangeEvent<{ value: string }>) => {
    setTyped({ ...typed, [field]: event.currentTarget.value });
    if (field === "provider" || field === "card") verify.begin();
    buy.begin();
  };

  return (
    <TryIt
      label="Pay for television in test mode"
      action={isKnown ? "Buy in test mode" : "Verify the smartcard"}
      isBusy={verify.isPending || buy.isPending || bouquets.isPending}
      onSubmit={() => {
        if (purchase) return buy.press(purchase);
        buy.begin();
        verify.press(cardDraft);
      }}
      onRepeat={() => purchase && buy.press({ ...purchase, allow_duplicate: true })}
      error={refusal}
      fields={["/provider", "/smartcard_number", "/kind", "/plan_id", "/to"]}
      order={now}
      orderError={order.error ?? providers.error ?? bouquets.error}
      farEnd={
        <Television
          name={provider?.name ?? ""}
          card={hasCard ? (found?.smartcard_number ?? typed.card) : ""}
          {...screenOf(found, now, paidCard.data)}
        />
      }
      call={
        purchase
          ? { path: "/cable/purchase", headers: { "Idempotency-Key": buy.key }, body: { ...purchase } }
          : { path: "/cable/verify", body: cardDraft }
      }
    >
      <div className={styles.ends}>
        <NativeSelect
          label="TV provider"
          data={(providers.data?.data ?? []).map(({ code, name, status }) => ({
            value: code,
            label: status === "available" ? name : `${name}, not now`,
          }))}
          value={typed.provider}
          onChange={change("provider")}
          disabled={!providers.data}
          error={problem?.of("/provider")}
        />
        {hasCard && (
          <TextInput
            label="Smartcard number"
            value={typed.card}
            onChange={change("card")}
            inputMode="numeric"
            autoComplete="off"
            error={problem?.of("/smartcard_number")}
          />
        )}
      </div>
      {hasCard && (
        <Customer
          name={found?.customer.name}
          hint="Verify the smartcard to see whose it is."
          lines={
            found
              ? [
                  found.current_plan ?? "No bouquet",
                  found.renewal_amount
                    ? `${moneyText(found.renewal_amount)} to renew${found.due_date ? `, due ${found.due_date}` : ""}`
                    : "Nothing to renew",
                ]
              : []
          }
        />
      )}
      <BouquetFields
        kinds={kinds}
        kind={kind}
        onKind={(next) => {
          want(next);
          buy.begin();
        }}
        bouquets={bouquets.data}
        chosen={plan?.plan_id ?? ""}
        onChoose={change("plan")}
        problem={problem}
      />
      <TextInput
        label="Customer’s phone"
        value={typed.to}
        onChange={change("to")}
        inputMode="tel"
        autoComplete="off"
        description={hasCard ? "For questions about it" : "It gets the voucher"}
        error={problem?.of("/to")}
      />
      <PriceBox
        price={answer?.price}
        error={error}
        available={wallet.data?.available}
        isBought={buy.data !== undefined}
      >
        <PriceLine name="Your fee in it">{answer?.fee ? <Money of={answer.fee} /> : "–"}</PriceLine>
      </PriceBox>
    </TryIt>
  );
}
