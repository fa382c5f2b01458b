import type { pictureCalls } from "../../../api/picture-calls.ts";
import { addPicture } from "../../../shop/pictures/add.ts";
import { saveProductPictures } from "../../../shop/pictures/save-product-pictures.ts";
import type { HandlersOf } from "./handlers.ts";

export const pictureHandlers: HandlersOf<typeof pictureCalls> = {
  addPicture: ({ store, encoder, pictures: storage }, { user, body }) =>
    addPicture(store, { encoder, storage }, user, body.file),
  saveProductPictures: ({ store }, { params, body }) => saveProductPictures(store, params.id, body),
};
