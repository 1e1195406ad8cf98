/** The image cannot be built; the message is for whoever builds it. */
export class ImageError extends Error {
  override name = 'ImageError'
}
