import { Button } from "../../components/button.tsx";
import { dollars } from "../../components/format.ts";
import { OrderTrack } from "../../components/order-track.tsx";
import { Panel } from "../../components/panel.tsx";
import { Actions, type Column, Lead, Table } from "../../components/table.tsx";

interface Row {
  id: string;
  name: string;
  picture: string;
  quantity: number;
  price: number;
  status: "unpaid" | "paid" | "shipped";
}

const rows: Row[] = [
  {
    id: "1",
    name: "Angle grinder",
    picture: "/tools/angle-grinder.svg",
    quantity: 80,
    price: 76.5,
    status: "unpaid",
  },
  {
    id: "2",
    name: "Drill driver",
    picture: "/tools/drill-driver.svg",
    quantity: 200,
    price: 128,
    status: "paid",
  },
  {
    id: "3",
    name: "Table saw",
    picture: "/tools/table-saw.svg",
    quantity: 1200,
    price: 489,
    status: "shipped",
  },
];

const columns: Column<Row>[] = [
  {
    heading: "Product",
    kind: "lead",
    cell: (row) => <Lead picture={row.picture} name={row.name} note="AG 125-14" />,
  },
  { heading: "Quantity", kind: "figure", cell: (row) => row.quantity },
  { heading: "Price", kind: "figure", optional: true, cell: (row) => dollars(row.price) },
  { heading: "Total", kind: "strong", cell: (row) => dollars(row.price * row.quantity) },
  { heading: "Status", cell: (row) => <OrderTrack status={row.status} /> },
  {
    heading: "Action",
    kind: "action",
    cell: (row) =>
      row.status === "unpaid" && (
        <Actions>
          <Button look="danger" size="sm">
            Cancel Order
          </Button>
          <Button look="primary" size="sm">
            Pay
          </Button>
        </Actions>
      ),
  },
];

export function SampleTable() {
  return (
    <Panel flush>
      <Table caption="Sample orders" columns={columns} rows={rows} rowKey={(row) => row.id} />
    </Panel>
  );
}
