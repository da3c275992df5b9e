import { NativeSelect, TextInput } from "@mantine/core";
import { type ChangeEvent, useState } from "react";
import { problemOf } from "../../api/problem.ts";
import { Meter } from "../../pieces/Meter.tsx";
import { amountTyped, Money, moneyText } from "../../pieces/Money.tsx";
import { PriceBox, PriceLine } from "../../pieces/PriceBox.tsx";
import { isMoving } from "../../pieces/states.ts";
import { Customer } from "../service/Customer.tsx";
import styles from "../service/TryIt.module.css";
import { TryIt } from "../service/TryIt.tsx";
import { useCheck, useOrder, useTestWallet } from "../service/try.queries.ts";
import { checkElectricity, useBuyElectricity, useDiscos, useMeter, useVerifyMeter } from "./electricity.queries.ts";

const FIRST = { disco: "ikeja-electric", meter: "11111111111", amount: "5000", to: "08031234567" };

/** A token for a simulated meter: whose it is first, then the purchase. */
export function TryElectricity() {
  const [typed, setTyped] = useState(FIRST);
  const discos = useDiscos();
  const verify = useVerifyMeter();
  const buy = useBuyElectricity();
  const refusal = buy.error ?? verify.error;
  const problem = refusal ? problemOf(refusal) : undefined;
  const found = problem?.code === "meter_changed" ? undefined : verify.data;
  const meterDraft = { meter_number: typed.meter, disco: typed.disco };
  const draft = { ...meterDraft, amount: amountTyped(typed.amount), to: typed.to };
  const purchase = found && { ...draft, verification_id: found.verification_id };
  const isComplete = draft.amount !== "" && draft.to !== "";
  const { answer, error } = useCheck("electricity", isComplete ? purchase : undefined, checkElectricity);
  const wallet = useTestWallet();
  const order = useOrder(buy.data?.id);
  const now = order.data ?? buy.data;
  const meter = useMeter(buy.data?.meter_number, now?.status);
  const tokens = (meter.data?.tokens ?? [])
    .filter(({ purchase_id }) => purchase_id === now?.id)
    .map(({ kind, value, units_kwh }) => ({ kind, value, units: units_kwh }));

  const change = (field: keyof typeof typed) => (event: ChangeEvent<{ value: string }>) => {
    setTyped({ ...typed, [field]: event.currentTarget.value });
    if (field === "disco" || field === "meter") verify.begin();
    buy.begin();
  };

  return (
    <TryIt
      label="Buy electricity in test mode"
      action={found ? "Buy in test mode" : "Verify the meter"}
      isBusy={verify.isPending || buy.isPending}
      onSubmit={() => {
        if (purchase) return buy.press(purchase);
        buy.begin();
        verify.press(meterDraft);
      }}
      onRepeat={() => purchase && buy.press({ ...purchase, allow_duplicate: true })}
      error={refusal}
      fields={["/disco", "/meter_number", "/amount", "/to"]}
      order={now}
      orderError={order.error ?? meter.error ?? discos.error}
      farEnd={
        <Meter
          number={now && "meter_number" in now ? (now.meter_number ?? "") : (found?.meter_number ?? typed.meter)}
          tokens={tokens}
          isWaiting={now !== undefined && isMoving(now.status)}
        />
      }
      call={
        purchase
          ? { path: "/electricity/purchase", headers: { "Idempotency-Key": buy.key }, body: purchase }
          : { path: "/electricity/verify", body: meterDraft }
      }
    >
      <div className={styles.ends}>
        <NativeSelect
          label="Disco"
          data={(discos.data?.data ?? []).map(({ code, name, status }) => ({
            value: code,
            label: status === "available" ? name : `${name}, not now`,
          }))}
          value={typed.disco}
          onChange={change("disco")}
          disabled={!discos.data}
          error={problem?.of("/disco")}
        />
        <TextInput
          label="Meter number"
          value={typed.meter}
          onChange={change("meter")}
          inputMode="numeric"
          autoComplete="off"
          error={problem?.of("/meter_number")}
        />
      </div>
      <Customer
        name={found?.customer.name}
        hint="Verify the meter to see whose it is."
        lines={
          found
            ? [
                found.customer.address ?? "",
                `${found.meter_type}${found.tariff ? `, tariff ${found.tariff}` : ""}`,
                found.arrears ? `Owes ${moneyText(found.arrears)}, which is deducted first` : "",
              ]
            : []
        }
      />
      <div className={styles.ends}>
        <TextInput
          label="Amount"
          value={typed.amount}
          onChange={change("amount")}
          inputMode="numeric"
          autoComplete="off"
          leftSection="₦"
          description={
            found
              ? `${moneyText(found.minimum_amount)} to ${moneyText(found.maximum_amount)}`
              : "Bounds follow from the meter"
          }
          error={problem?.of("/amount")}
        />
        <TextInput
          label="Customer’s phone"
          value={typed.to}
          onChange={change("to")}
          inputMode="tel"
          autoComplete="off"
          description="For questions about it"
          error={problem?.of("/to")}
        />
      </div>
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
