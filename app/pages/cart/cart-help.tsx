import { useRef } from "react";
import { Link } from "react-router";
import { MAX_LINES } from "../../../shop/cart/limits.ts";
import { Button } from "../../components/button.tsx";
import { count } from "../../components/format.ts";
import { Icon, type IconName } from "../../components/icon.tsx";
import { PanelHead } from "../../components/panel.tsx";
import { saveCsv } from "./save-csv.ts";

interface PasteOrDropProps {
  onPaste: () => void;
  onFiles: (files: Iterable<File>) => void;
}

/** The page accepts drops and pastes anywhere; this explains it and has buttons for both. */
export function PasteOrDrop({ onPaste, onFiles }: PasteOrDropProps) {
  const fileInput = useRef<HTMLInputElement>(null);
  return (
    <div className="cart__drop">
      <Icon name="copy" />
      <p>
        <b>Paste rows from a spreadsheet, or drop a CSV here.</b> Item number, then quantity. Up to{" "}
        {count(MAX_LINES)} lines.
      </p>
      <span className="cart__drop-acts">
        <Button size="sm" onClick={onPaste}>
          Paste rows
        </Button>
        <Button size="sm" onClick={() => fileInput.current?.click()}>
          Choose a CSV
        </Button>
      </span>
      <input
        ref={fileInput}
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        aria-label="CSV file"
        hidden
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = "";
        }}
      />
    </div>
  );
}

/** Shown while the cart is empty. */
export function PasteExample() {
  return (
    <section className="cart__example">
      <h2 className="t-h3">What a paste looks like</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Item number</th>
            <th scope="col" className="r">
              Quantity
            </th>
          </tr>
        </thead>
        <tbody>
          {[
            ["DD 18-60", "200"],
            ["AG 125-14", "80"],
            ["RO 150-5", "96"],
          ].map(([item, quantity]) => (
            <tr key={item}>
              <td>{item}</td>
              <td className="r num">{quantity}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div>
        <p>
          Copy two columns from any spreadsheet and press <kbd>Ctrl</kbd> <kbd>V</kbd> here. A heading row is
          skipped. Spaces and hyphens in item numbers do not matter.
        </p>
        <p>
          <button type="button" className="link" onClick={() => saveCsv("stator-order.csv")}>
            Download an empty CSV
          </button>
        </p>
      </div>
    </section>
  );
}

const startLinks: { label: string; to: string; icon: IconName }[] = [
  { label: "All tools", to: "/tools", icon: "search" },
  { label: "A saved list", to: "/dashboard/lists", icon: "rows" },
  { label: "An earlier order", to: "/dashboard/orders", icon: "retry" },
];

export function StartFrom() {
  return (
    <aside className="cart-side" aria-labelledby="cart-start">
      <section className="panel po">
        <PanelHead title="Start from" id="cart-start" />
        <ul className="cart-start">
          {startLinks.map(({ label, to, icon }) => (
            <li key={to}>
              <Link to={to} prefetch="intent">
                <Icon name={icon} />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </section>
      <p className="hint when-out">
        No account needed yet: checkout asks you to log in, and the cart comes along.
      </p>
    </aside>
  );
}
