import type { ImageScaler, ScaledImage, ScaleRequest } from '#files/imageScaler.ts';

/** Notes what it is asked to scale down, and returns one image, or none. */
export class FakeImages implements ImageScaler {
  readonly asked: ScaleRequest[] = [];
  image: ScaledImage | undefined;

  async scaleDown(request: ScaleRequest): Promise<ScaledImage | undefined> {
    this.asked.push(request);
    return this.image;
  }
}
