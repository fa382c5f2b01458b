import { labels } from "../../../../shop/texts/specification.ts";
import { DeliveryLine } from "./delivery-line.tsx";
import { questions } from "./home-texts.ts";

/** An exclusive accordion without scripts. */
export function QuestionAndAnswer() {
  return (
    <section className="sec sec--follows sheet" aria-labelledby="questions">
      <div className="split">
        <div className="split__rail">
          <h2 className="t-h1" id="questions">
            {labels.home.questionAndAnswer}
          </h2>
        </div>
        <div className="split__main qa">
          {questions.map((item) => (
            <details key={item.question} name="questions" open={item.figure === "delivery"}>
              <summary>
                {item.question}
                <span className="pm" />
              </summary>
              <div className="qa__a">
                {item.answer}
                {item.figure === "delivery" && <DeliveryLine />}
              </div>
            </details>
          ))}
        </div>
      </div>
    </section>
  );
}
