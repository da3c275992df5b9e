import { NativeSelect, SegmentedControl } from "@mantine/core";
import type { ChangeEvent } from "react";
import type { Models } from "../../api/client.ts";
import type { Problem } from "../../api/problem.ts";
import { moneyText } from "../../pieces/Money.tsx";

export type Kind = Models["CableKind"];

const WORDS: Readonly<Record<Kind, string>> = { renew: "Renew", change: "Change bouquet" };

interface BouquetProps {
  readonly kinds: readonly Kind[];
  readonly kind: Kind;
  readonly onKind: (kind: Kind) => void;
  readonly bouquets: readonly Models["CablePlan"][] | undefined;
  readonly chosen: string;
  readonly onChoose: (event: ChangeEvent<HTMLSelectElement>) => void;
  readonly problem: Problem | undefined;
}

/** What is paid for: the bouquet that the card has, or another. */
export const BouquetFields = ({ kinds, kind, onKind, bouquets, chosen, onChoose, problem }: BouquetProps) => (
  <>
    {kinds.length > 1 && (
      <SegmentedControl
        aria-label="What to pay for"
        data={kinds.map((value) => ({ value, label: WORDS[value] }))}
        value={kind}
        onChange={(value) => onKind(value as Kind)}
      />
    )}
    {kind === "change" && (
      <NativeSelect
        label="Bouquet"
        data={(bouquets ?? []).map(({ plan_id, name, price }) => ({
          value: plan_id,
          label: `${moneyText(price)} · ${name}`,
        }))}
        value={chosen}
        onChange={onChoose}
        disabled={!bouquets}
        error={problem?.of("/plan_id") ?? problem?.of("/kind")}
      />
    )}
  </>
);
