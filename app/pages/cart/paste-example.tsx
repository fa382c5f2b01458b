import { downloadCsv } from "./export-csv.ts";

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
          <button
            type="button"
            className="link"
            onClick={() => downloadCsv("stator-order.csv", "Item number,Quantity\r\n")}
          >
            Download an empty CSV
          </button>
        </p>
      </div>
    </section>
  );
}
