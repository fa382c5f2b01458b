import "../../styles/specimens.css";
import { useState } from "react";
import { Breadcrumbs } from "../../components/breadcrumbs.tsx";
import { Badge, Chip, Count } from "../../components/chip.tsx";
import { DateTime } from "../../components/date-time.tsx";
import { OrderTrack } from "../../components/order-track.tsx";
import { pageTitle } from "../../components/page-title.ts";
import { Panel } from "../../components/panel.tsx";
import { Plate } from "../../components/picture.tsx";
import { ProductCard } from "../../components/product-card.tsx";
import { QuantityStepper } from "../../components/quantity-stepper.tsx";
import { ReviewCard } from "../../components/review-card.tsx";
import { Spinner } from "../../components/spinner.tsx";
import { Stars } from "../../components/stars.tsx";
import { EmptyState, ErrorState } from "../../components/states.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { TitleBlock } from "../../components/title-block.tsx";
import { useListParams } from "../../data/use-list-params.ts";
import type { FulfillmentStatus } from "../orders/fulfillment-status.ts";
import { Buttons, Fields, longProduct, Overlays, product, SampleTable, Specimen } from "./specimens.tsx";

export const meta = () => pageTitle("Design system");

const statuses: FulfillmentStatus[] = ["unpaid", "paid", "shipped", "refunded"];

/** Every component in every state. In development only. */
export default function DesignSystemPage() {
  return (
    <main id="main" className="sheet specimens">
      <h1 className="t-h1">Design system</h1>
      <div className="demo">
        <Buttons />
        <Fields />
        <Overlays />
        <Specimen name="Quantity" span={6}>
          <Stepper start={200} min={20} max={1240} />
          <Stepper start={12} min={20} max={1240} error="You have to purchase at least 20 products" />
          <Stepper start={1300} min={20} max={1240} error="Purchase qauntity is maximum 1240" />
        </Specimen>
        <Specimen name="Order track, stars, chips, badges, figures" span={6}>
          <p className="specimen__row">
            {statuses.map((status) => (
              <OrderTrack key={status} status={status} />
            ))}
            <OrderTrack status="shipped" side="admin" />
          </p>
          <p className="specimen__row">
            {[0, 0.5, 2.25, 3.7, 5, 9].map((rating) => (
              <Stars key={rating} rating={rating} />
            ))}
            <Stars rating={4.5} large />
          </p>
          <p className="specimen__row">
            <Chip pressed>20</Chip>
            <Chip pressed={false}>40</Chip>
            <Chip disabled>100</Chip>
            <Badge>User</Badge>
            <Badge strong>Admin</Badge>
            <Count value={14} noun="to ship" />
            <Count value={12345} noun="to ship" />
            <DateTime at="2026-11-19T14:03:22Z" />
          </p>
          <TitleBlock
            className="facts"
            items={[
              { label: "Price", value: "$1,249,999.00" },
              { label: "Minimum Order", value: "20" },
              { label: "Available in Stock", value: "1,240" },
            ]}
          />
          <Breadcrumbs
            items={[{ label: "Tools", to: "/tools" }, { label: "Sawing", to: "/tools" }, { label: "Jigsaw" }]}
          />
          <Tabs
            label="Status"
            params={useListParams()}
            name="status"
            items={[
              [undefined, "All", 1218],
              ["unpaid", "Unpaid", 9],
              ["paid", "Paid"],
            ]}
          />
        </Specimen>
        <Specimen name="Table; cards below 768 px" span={12}>
          <SampleTable />
        </Specimen>
        <Specimen name="Product cards: usual, long" span={12}>
          <div className="cards">
            <ProductCard product={product} />
            <ProductCard product={longProduct} />
          </div>
        </Specimen>
        <Specimen name="Plate, and a picture that failed" span={6}>
          <Plate ticks src={product.picture} alt="Drill driver, side view" />
          <Plate src="/tools/nowhere.svg" alt="A picture that does not exist" />
        </Specimen>
        <Specimen name="Loading, empty, failed" span={6}>
          <Spinner label="Loading tools" />
          <EmptyState title="No orders yet">
            Choose a tool, set a quantity, and the purchase order appears here.
          </EmptyState>
          <ErrorState onRetry={() => undefined}>
            The tools could not be loaded. Your connection or our server did not respond.
          </ErrorState>
        </Specimen>
        <Specimen name="Panels" span={6}>
          <Panel title="Order" aside={<span className="t-label">Hello, Ingrid Halloran</span>}>
            <p>A ruled box with a headed strip.</p>
          </Panel>
          <Panel strong title="Purchase order">
            <p>With the ink edge.</p>
          </Panel>
        </Specimen>
        <Specimen name="Review" span={6}>
          <ReviewCard
            review={{ name: "Marta Oyelaran", rating: 4.5, description: "Every guard was fitted." }}
          />
        </Specimen>
      </div>
    </main>
  );
}

function Stepper({ start, min, max, error }: { start: number; min: number; max: number; error?: string }) {
  const [value, setValue] = useState<number | null>(start);
  const shown = value === start ? error : undefined;
  return (
    <QuantityStepper label="Quantity" value={value} onChange={setValue} min={min} max={max} error={shown} />
  );
}
