import { type ReactNode, useState } from "react";
import type { Product } from "../../../api/entities.ts";
import { Button, ButtonLink, IconButton } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { FormError, TextArea, TextField } from "../../components/field.tsx";
import { dollars } from "../../components/format.ts";
import { OrderTrack } from "../../components/order-track.tsx";
import { Panel } from "../../components/panel.tsx";
import { Actions, type Column, Lead, Table } from "../../components/table.tsx";
import { ThemeSwitch } from "../../components/theme-switch.tsx";
import { toast } from "../../components/toast.ts";
import { TransactionId } from "../../components/transaction-id.tsx";

export function Overlays() {
  const [open, setOpen] = useState<"confirm" | "dialog" | null>(null);
  const close = () => setOpen(null);
  const wait = () => new Promise<void>((resolve) => setTimeout(resolve, 1200));
  return (
    <Specimen name="Toasts, dialogs, transaction id" span={12}>
      <p className="specimen__row">
        <Button onClick={() => toast.success("Purchased Successfully")}>Success</Button>
        <Button onClick={() => toast.info("Please Provide Email First")}>Info</Button>
        <Button
          onClick={() =>
            toast.error("The order could not be cancelled.", { label: "Try again", onPress: () => undefined })
          }
        >
          Error
        </Button>
        <Button look="danger" onClick={() => setOpen("confirm")}>
          Delete
        </Button>
        <Button onClick={() => setOpen("dialog")}>Dialog</Button>
      </p>
      <TransactionId id="pi_3QK2vX9rT4mLhZ0b1c8dYw2N" />
      <ConfirmDialog
        open={open === "confirm"}
        onClose={close}
        title="Delete the table saw?"
        keep="Keep tool"
        confirm="Delete"
        onConfirm={wait}
      >
        It leaves the catalogue at once. Existing orders keep their copy.
      </ConfirmDialog>
      <Dialog
        open={open === "dialog"}
        onClose={close}
        title="A dialog"
        actions={<Button onClick={close}>Close</Button>}
      >
        <p>Escape, the scrim and the cross close it.</p>
      </Dialog>
    </Specimen>
  );
}

export function Fields() {
  return (
    <Specimen name="Fields" span={12}>
      <FormError>This email address is already in use by another account.</FormError>
      <div className="two">
        <TextField label="Default" placeholder="Placeholder" />
        <TextField
          label="Filled"
          note="Optional"
          defaultValue="Canal Yard"
          hint="Where the pallet is unloaded."
        />
        <TextField label="Error" error="Address is required" />
        <TextField label="Disabled" defaultValue="Ingrid Halloran" disabled />
        <TextArea label="Text" defaultValue="We run twelve of these on two crews." />
        <TextArea label="Text with an error" error="Description is required" />
      </div>
    </Specimen>
  );
}

const looks = ["primary", "ink", "line", "danger", "danger-solid", "quiet"] as const;
const sizes = ["sm", "md", "lg"] as const;

export function Buttons() {
  return (
    <Specimen name="Buttons: sizes, with icon, busy, disabled" span={12}>
      {looks.map((look) => (
        <p key={look} className="specimen__row">
          {sizes.map((size) => (
            <Button key={size} look={look} size={size}>
              {look}
            </Button>
          ))}
          <Button look={look} icon="copy">
            With icon
          </Button>
          <Button look={look} busy>
            Busy
          </Button>
          <Button look={look} icon="copy" busy>
            Busy with icon
          </Button>
          <Button look={look} disabled>
            Disabled
          </Button>
          <ButtonLink look={look} to="/ui">
            Link
          </ButtonLink>
        </p>
      ))}
      <p className="specimen__row">
        <IconButton icon="copy" label="Copy" />
        <IconButton icon="remove" label="Remove" />
        <ThemeSwitch />
      </p>
    </Specimen>
  );
}

type Row = Product & { status: "unpaid" | "paid" | "shipped" };

const columns: Column<Row>[] = [
  {
    heading: "Product",
    kind: "lead",
    cell: (row) => <Lead picture={row.picture} name={row.name} note={row.itemNumber} />,
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
  const rows = (["unpaid", "paid", "shipped"] as const).map((status) => ({ ...product, status }));
  return (
    <Panel flush>
      <Table caption="Sample orders" columns={columns} rows={rows} rowKey={(row) => row.status} />
    </Panel>
  );
}

export const product: Product = {
  _id: "0197a1de-0000-7000-8000-000000000001",
  name: "Drill driver",
  picture: "/tools/drill-driver.svg",
  price: 128,
  quantity: 1240,
  minimum_order: 20,
  itemNumber: "DD 18-60",
  description:
    "Two-speed brushless drill driver with a 13 mm keyless chuck and a 24-step torque collar. Runs 60 Nm in hard joints and stays under 1.5 kg with a 2.0 Ah pack. Sold without battery.",
};

/** The longest possible names and figures. */
export const longProduct: Product = {
  ...product,
  _id: "0197a1de-0000-7000-8000-000000000002",
  name: "Variable-speed reciprocating saw with orbital action and tool-free blade change",
  picture: "/tools/nowhere.svg",
  price: 1249999.5,
  quantity: 1000000,
  minimum_order: 12500,
  itemNumber: "RS 1100-30-LONG-AX",
};

interface SpecimenProps {
  name: string;
  span: 6 | 12;
  children: ReactNode;
}

export function Specimen({ name, span, children }: SpecimenProps) {
  return (
    <section className={`d${span}`}>
      <h2>{name}</h2>
      {children}
    </section>
  );
}
