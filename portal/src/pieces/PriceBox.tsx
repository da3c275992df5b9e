import type { ReactNode } from "react";
import type { Models } from "../api/client.ts";
import { problemOf } from "../api/problem.ts";
import { type Amount, Money, minus } from "./Money.tsx";
import styles from "./PriceBox.module.css";

interface PriceBoxProps {
  readonly price: Models["Price"] | undefined;
  /** Why there is no price. */
  readonly error: unknown;
  /** Of the test wallet. */
  readonly available: Amount | undefined;
  /** Of a purchase that was made: its price has left the wallet already. */
  readonly isBought: boolean;
  /** Besides: what it is cheaper by, what is owed. */
  readonly children?: ReactNode;
}

/** The price of what is about to be bought, the tax in it, and what is left of the wallet afterwards, or is in it once that is done. */
export const PriceBox = ({ price, error, available, isBought, children }: PriceBoxProps) => (
  <dl className={styles.box} aria-live="polite" aria-label="Price">
    <PriceLine name="Price">
      <strong>{price ? <Money of={price} /> : "–"}</strong>
    </PriceLine>
    <PriceLine name="VAT in it">{price ? <Money of={{ ...price, amount: price.tax }} /> : "–"}</PriceLine>
    {children}
    {isBought ? (
      <PriceLine name="In the test wallet now">{available ? <Money of={available} /> : "–"}</PriceLine>
    ) : (
      <PriceLine name="Left after this purchase">
        {price && available ? <Money of={minus(available, price)} /> : "–"}
      </PriceLine>
    )}
    {error ? <PriceLine name="No price">{problemOf(error).message}</PriceLine> : null}
  </dl>
);

export const PriceLine = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
