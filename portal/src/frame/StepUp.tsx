import { lazy, Suspense } from "react";
import { useAsking } from "../api/confirmation.ts";

const Dialog = lazy(() => import("./StepUpDialog.tsx").then(({ StepUpDialog }) => ({ default: StepUpDialog })));

/** Asks the person to show that it is they, when a request waits for it. Loaded then. */
export function StepUp() {
  const asking = useAsking();
  return (
    asking && (
      <Suspense>
        <Dialog answer={asking.answer} />
      </Suspense>
    )
  );
}
