import { TextInput } from "@mantine/core";
import { type ChangeEvent, useState } from "react";
import { problemOf } from "../../api/problem.ts";
import { useMay } from "../../api/session.ts";
import { Handset } from "../../pieces/Handset.tsx";
import { amountTyped, Money } from "../../pieces/Money.tsx";
import { PriceBox, PriceLine } from "../../pieces/PriceBox.tsx";
import styles from "../service/TryIt.module.css";
import { TryIt } from "../service/TryIt.tsx";
import { useCheck, useHandset, useOrder, useTestWallet } from "../service/try.queries.ts";
import { checkTopUp, NETWORKS, useDataPlans, useTopUp } from "./airtime.queries.ts";
import { arrivalsOf } from "./arrivals.ts";

/** A top-up of a simulated phone. */
export function TryAirtime() {
  const [typed, setTyped] = useState({ to: "08031234567", amount: "500" });
  const maySend = useMay("send");
  const draft = { to: typed.to, amount: amountTyped(typed.amount) };
  const isComplete = maySend && draft.to !== "" && draft.amount !== "";
  const { answer, error } = useCheck("airtime", isComplete ? draft : undefined, checkTopUp);
  const wallet = useTestWallet();
  const plans = useDataPlans();
  const buy = useTopUp();
  const order = useOrder(buy.data?.id);
  const now = order.data ?? buy.data;
  const handset = useHandset(buy.data?.to, now?.status);
  const problem = buy.error ? problemOf(buy.error) : undefined;
  const network = answer?.network_guess;

  const change = (field: keyof typeof typed) => (event: ChangeEvent<HTMLInputElement>) => {
    setTyped({ ...typed, [field]: event.currentTarget.value });
    buy.begin();
  };

  return (
    <TryIt
      label="Top up a phone in test mode"
      action="Buy in test mode"
      isBusy={buy.isPending}
      onSubmit={() => buy.press(draft)}
      onRepeat={() => buy.press({ ...draft, allow_duplicate: true })}
      error={buy.error}
      fields={["/to", "/amount"]}
      order={now}
      orderError={order.error}
      farEnd={
        <Handset
          phone={now?.to ?? typed.to}
          messages={buy.data ? arrivalsOf(handset.data, plans.data) : []}
          draft={
            buy.data || !answer
              ? undefined
              : { from: network ? NETWORKS[network] : "Airtime", text: `₦${draft.amount} airtime` }
          }
        />
      }
      call={{ path: "/airtime/topup", headers: { "Idempotency-Key": buy.key }, body: draft }}
    >
      <div className={styles.ends}>
        <TextInput
          label="Phone"
          value={typed.to}
          onChange={change("to")}
          inputMode="tel"
          autoComplete="off"
          description={network ? `${NETWORKS[network]}, by its prefix` : "Any network"}
          error={problem?.of("/to")}
        />
        <TextInput
          label="Amount"
          value={typed.amount}
          onChange={change("amount")}
          inputMode="numeric"
          autoComplete="off"
          leftSection="₦"
          description="₦50 to ₦50,000, whole naira"
          error={problem?.of("/amount")}
        />
      </div>
      <PriceBox
        price={answer?.price}
        error={error}
        available={wallet.data?.available}
        isBought={buy.data !== undefined}
      >
        <PriceLine name="Your discount">{answer ? <Money of={answer.discount} /> : "–"}</PriceLine>
      </PriceBox>
    </TryIt>
  );
}
