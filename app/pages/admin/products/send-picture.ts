import { callTable } from "virtual:call-table";
import type { Output } from "../../../../api/contract.ts";
import type { Outcome } from "../../../../api/outcome.ts";
import { MAX_PICTURE_BYTES } from "../../../../shop/pictures/urls.ts";
import { refusals } from "../../../../shop/texts/refusals.ts";
import { call } from "../../../data/api-client.ts";
import { readToken } from "../../../data/session.ts";

type UploadOutcome = Outcome<Output<"addPicture">>;

/** Uploads a picture; `onProgress` is called with the sent fraction, from 0 to 1. */
export async function sendPicture(
  file: File,
  onProgress: (fraction: number) => void,
): Promise<UploadOutcome> {
  if (file.size > MAX_PICTURE_BYTES)
    return { ok: false, status: 413, detail: refusals.fileTooLarge(MAX_PICTURE_BYTES / 1024 / 1024) };
  // of a folder, or of a file that was removed, the request would fail like one without a connection
  if (!(await isReadable(file)))
    return { ok: false, status: 0, detail: `${file.name} could not be read. Choose it again.` };
  const form = new FormData();
  form.append("file", file);
  // `call` renews the session and retries; the same file has the same URL, so a retry is harmless
  return (await sendWithProgress(form, onProgress)) ?? call("addPicture", { body: form as never });
}

function isReadable(file: File): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
}

/** Uses XMLHttpRequest, since `fetch` does not report progress; null if it must be retried. */
function sendWithProgress(
  form: FormData,
  onProgress: (fraction: number) => void,
): Promise<UploadOutcome | null> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const [method = "", path = ""] = callTable.addPicture.split(" ");
    request.open(method, path);
    request.responseType = "json";
    request.setRequestHeader("Authorization", `Bearer ${readToken()}`);
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
    request.onerror = () => resolve(null);
    request.onload = () => {
      const { status, response } = request;
      if (status === 200 && response) resolve({ ok: true, data: response });
      else if (status !== 401 && response?.detail) resolve({ ok: false, status, detail: response.detail });
      else resolve(null);
    };
    request.send(form);
  });
}
