import { Button } from "@mantine/core";
import { useState } from "react";
import type { Order } from "../../api/orders.ts";
import { Confirm } from "../../pieces/Confirm.tsx";
import { Icon } from "../../pieces/Icon.tsx";
import { Money } from "../../pieces/Money.tsx";
import { masked } from "../../pieces/Phone.tsx";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import { Prose } from "../../pieces/Prose.tsx";
import { toast } from "../../pieces/toast.ts";
import { useAgain, useOffer, useWhyNot } from "./again.queries.ts";
import { isBought } from "./again.ts";
import { kindOf, targetOf } from "./order.ts";

interface AgainProps {
  readonly order: Order;
  readonly show: (id: string) => void;
}

/** Only where it is safe, and otherwise why not. */
export function SendAgain({ order, show }: AgainProps) {
  const [isAsked, setAsked] = useState(false);
  const offer = useOffer(order, isAsked);
  const again = useAgain(order);
  const whyNot = useWhyNot(order) ?? offer.data?.why_not;
  const verb = isBought(order) ? "Buy again" : "Send again";
  const price = offer.data && !offer.data.why_not ? offer.data.price : undefined;
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="roll" size={16} />}
        loading={offer.isFetching}
        disabled={whyNot !== undefined}
        onClick={() => (isAsked ? void offer.refetch() : setAsked(true))}
      >
        {verb}
      </Button>
      {whyNot && (
        <p role="status" className="soft">
          <Prose text={whyNot} />
        </p>
      )}
      {offer.error && <ProblemView error={offer.error} />}
      <Confirm
        opened={isAsked && price !== undefined && !again.isSuccess}
        title={`${verb}: ${kindOf(order)} to ${masked(targetOf(order))}`}
        action={verb}
        isBusy={again.isPending}
        error={again.error}
        onClose={() => setAsked(false)}
        onConfirm={() =>
          offer.data &&
          again.mutate(offer.data, {
            onSuccess: ({ id }) => {
              toast(isBought(order) ? "It is being bought again" : "It is sent again");
              show(id);
            },
          })
        }
      >
        {price && (
          <p>
            The same goes out once more, as a new order, for <Money of={price} />. This can be done once.
          </p>
        )}
      </Confirm>
    </>
  );
}
