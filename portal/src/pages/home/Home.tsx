import { useState } from "react";
import type { Mode } from "../../api/place.ts";
import { useLatestOrders } from "../../api/read.ts";
import { type Account, useAccount, useScope } from "../../api/session.ts";
import { Page } from "../../pieces/Page.tsx";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import { Figures, LATEST } from "./Figures.tsx";
import { FirstSteps } from "./FirstSteps.tsx";

/** Three steps until the first call has succeeded; then where the money is and what today brought. */
export function Home() {
  const account = useAccount();
  const [, mode] = useScope();
  return account ? <HomeOf key={`${account.id} ${mode}`} account={account} mode={mode} /> : <NoAccount />;
}

function HomeOf({ account, mode }: { readonly account: Account; readonly mode: Mode }) {
  const orders = useLatestOrders(LATEST);
  const [isBeginning, begin] = useState(false);
  if (orders.data && orders.data.data.length === 0 && mode === "test" && !isBeginning) begin(true); // stays open while its last step is looked at

  if (isBeginning)
    return (
      <Page title={`Welcome, ${account.name}`} line="Three steps to your first message. It takes about a minute.">
        <FirstSteps />
      </Page>
    );
  return (
    <Page title="Home" line="Where the money is, and what today brought.">
      {orders.error && !orders.data ? (
        <ProblemView error={orders.error} again={() => void orders.refetch()} />
      ) : (
        <Figures latest={orders.data?.data} />
      )}
    </Page>
  );
}

const NoAccount = () => (
  <Page title="Home" line="You are signed in, but belong to no account yet.">
    <p className="card">Ask whoever runs this gateway to approve your account, or for an invitation to theirs.</p>
  </Page>
);
