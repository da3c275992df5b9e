import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { headersFor } from "../../api/client.ts";
import { download } from "../../api/download.ts";
import type { Order } from "../../api/orders.ts";
import { Problem, problemOf, unreachable } from "../../api/problem.ts";
import { Icon } from "../../pieces/Icon.tsx";
import { toast } from "../../pieces/toast.ts";

/** Services whose successful purchases have a receipt, by the kind of order. */
const RECEIPTS: Readonly<Record<string, string>> = {
  airtime: "airtime",
  data: "airtime",
  electricity: "electricity",
  cable: "cable",
};

async function receiptOf({ object, id }: Order): Promise<Blob> {
  const headers = { ...headersFor("GET"), accept: "application/pdf" };
  const answer = await fetch(`/${RECEIPTS[object]}/receipt/${id}`, { headers }).catch(() => {
    throw unreachable();
  });
  if (!answer.ok) throw new Problem(answer.status, await answer.json().catch(() => undefined));
  return answer.blob();
}

/** On paper: the receipt where there is one, and otherwise what is shown. */
export function Receipt({ order }: { readonly order: Order }) {
  const fetching = useMutation({
    mutationFn: () => receiptOf(order),
    onSuccess: (file) => download(file, `receipt${order.mode === "test" ? "-TEST" : ""}-${order.id}.pdf`),
    onError: (error) => toast(problemOf(error).message),
  });
  const hasReceipt = order.object in RECEIPTS && order.status === "successful";
  return hasReceipt ? (
    <Button
      variant="default"
      leftSection={<Icon name="download" size={16} />}
      loading={fetching.isPending}
      onClick={() => fetching.mutate()}
    >
      Download the receipt
    </Button>
  ) : (
    <Button variant="default" onClick={() => window.print()}>
      Print
    </Button>
  );
}
