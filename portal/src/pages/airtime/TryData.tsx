import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Models } from "../../api/client.ts";
import { problemOf } from "../../api/problem.ts";
import { useMay } from "../../api/session.ts";
import { Handset } from "../../pieces/Handset.tsx";
import { moneyText } from "../../pieces/Money.tsx";
import { PriceBox } from "../../pieces/PriceBox.tsx";
import styles from "../service/TryIt.module.css";
import { TryIt } from "../service/TryIt.tsx";
import { useCheck, useHandset, useOrder, useTestWallet } from "../service/try.queries.ts";
import { checkBundle, NETWORKS, useBundle, useDataPlans, useNetworkOf } from "./airtime.queries.ts";
import { arrivalsOf } from "./arrivals.ts";

type Network = Models["Network"];

/** A data bundle for a simulated phone. */
export function TryData() {
  const [to, setTo] = useState("08031234567");
  const [named, name] = useState<Network>();
  const [chosen, choose] = useState("");
  const maySend = useMay("send");
  const plans = useDataPlans();
  const guess = useNetworkOf(to);
  const network = named ?? guess ?? "mtn";
  const ofNetwork = (plans.data ?? []).filter((plan) => plan.network === network);
  const plan = ofNetwork.find(({ plan_id }) => plan_id === chosen) ?? ofNetwork[0];
  const draft = { to, plan_id: plan?.plan_id ?? "" };
  const { answer, error } = useCheck("data", maySend && to !== "" && plan ? draft : undefined, checkBundle);
  const wallet = useTestWallet();
  const buy = useBundle();
  const order = useOrder(buy.data?.id);
  const now = order.data ?? buy.data;
  const handset = useHandset(buy.data?.to, now?.status);
  const problem = buy.error ? problemOf(buy.error) : undefined;

  return (
    <TryIt
      label="Buy data for a phone in test mode"
      action="Buy in test mode"
      isBusy={buy.isPending || plans.isPending}
      onSubmit={() => buy.press(draft)}
      onRepeat={() => buy.press({ ...draft, allow_duplicate: true })}
      error={buy.error}
      fields={["/to", "/plan_id"]}
      order={now}
      orderError={order.error ?? plans.error}
      farEnd={
        <Handset
          phone={now?.to ?? to}
          messages={buy.data ? arrivalsOf(handset.data, plans.data) : []}
          draft={buy.data || !plan ? undefined : { from: NETWORKS[plan.network], text: plan.name }}
        />
      }
      call={{ path: "/airtime/data", headers: { "Idempotency-Key": buy.key }, body: draft }}
    >
      <div className={styles.ends}>
        <TextInput
          label="Phone"
          value={to}
          onChange={(event) => {
            setTo(event.currentTarget.value);
            buy.begin();
          }}
          inputMode="tel"
          autoComplete="off"
          description={guess ? `${NETWORKS[guess]}, by its prefix` : "Any network"}
          error={problem?.of("/to")}
        />
        <NativeSelect
          label="Network"
          description="The plan’s, if the number was ported"
          data={Object.entries(NETWORKS).map(([value, label]) => ({ value, label }))}
          value={network}
          onChange={(event) => {
            name(event.currentTarget.value as Network);
            buy.begin();
          }}
        />
      </div>
      <NativeSelect
        label="Plan"
        data={ofNetwork.map(({ plan_id, name, price }) => ({ value: plan_id, label: `${moneyText(price)} · ${name}` }))}
        value={plan?.plan_id ?? ""}
        onChange={(event) => {
          choose(event.currentTarget.value);
          buy.begin();
        }}
        disabled={!plans.data}
        error={problem?.of("/plan_id")}
      />
      <PriceBox
        price={answer?.price ?? plan?.price}
        error={error}
        available={wallet.data?.available}
        isBought={buy.data !== undefined}
      />
    </TryIt>
  );
}
