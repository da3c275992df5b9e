import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { download } from "../../api/download.ts";
import { exportOrders, type OrderFilters } from "../../api/orders.ts";
import { problemOf } from "../../api/problem.ts";
import { Icon } from "../../pieces/Icon.tsx";
import { toast } from "../../pieces/toast.ts";

/** What is filtered, as a file for spreadsheets. */
export function ExportButton({ filters }: { readonly filters: OrderFilters }) {
  const [lines, setLines] = useState(0);
  const left = useRef<AbortController>(undefined);
  useEffect(() => () => left.current?.abort(), []);
  const exporting = useMutation({
    mutationFn: () => {
      left.current = new AbortController();
      return exportOrders(filters, { told: setLines, signal: left.current.signal });
    },
    onSuccess: ({ file, name }) => download(file, name),
    onError: (error) => toast(problemOf(error).message),
    onSettled: () => setLines(0),
  });
  return (
    <Button
      variant="default"
      leftSection={<Icon name="download" size={16} />}
      onClick={() => !exporting.isPending && exporting.mutate()}
      aria-busy={exporting.isPending}
    >
      {exporting.isPending ? `${Math.max(lines - 1, 0).toLocaleString("en-NG")} rows …` : "Export CSV"}
    </Button>
  );
}
