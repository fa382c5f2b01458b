/** Only loaded by the server. */
export const pictureRefusals = {
  empty: "The file is empty. Choose another one.",
  svg: "SVG pictures are not accepted, since they can contain scripts. Save it as PNG or JPEG.",
  tiff: "TIFF pictures cannot be shown in a browser. Save it as JPEG or PNG.",
  pdf: "This is a PDF document. Save the picture as JPEG or PNG.",
  heic: "HEIC pictures cannot be read. Save it as JPEG, or set the camera to “most compatible”.",
  notAPicture: "This file is not a picture. Choose a JPEG, PNG, WebP, AVIF or GIF file.",
  animated: "This picture is animated. Choose one with a single frame.",
  tooManyPixels: "The picture has 50 megapixels or more. Make it smaller: 1,600 pixels wide is enough.",
  damaged: "The picture is damaged or was cut off. Open it in an image editor and save it again.",
  unreadable: "The picture could not be read. Save it again as JPEG or PNG.",
  storageUnavailable: "Pictures cannot be stored at the moment. Try again in a few minutes.",
  pictureUnavailable: "This picture cannot be loaded at the moment.",
};
