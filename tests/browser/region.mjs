// SPDX-License-Identifier: Apache-2.0
// A part of a page as pixels, as a reader without colour sees it.
import assert from 'node:assert/strict';
import zlib from 'node:zlib';

/// Rows of a PNG of 8 bits a channel, without interlacing, as Chromium writes its screenshots.
function decode(png) {
  const parts = [];
  let width, height, channels;
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    const kind = png.toString('latin1', at + 4, at + 8);
    if (kind === 'IDAT') parts.push(data);
    if (kind !== 'IHDR') continue;
    [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
    channels = { 2: 3, 6: 4 }[data[9]];
    assert.ok(data[8] === 8 && channels && data[12] === 0, 'a PNG of another form');
  }
  const packed = zlib.inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const pixels = new Uint8Array(stride * height);
  for (let y = 0; y < height; ++y) {
    const filter = packed[y * (stride + 1)];
    const row = y * stride;
    for (let x = 0; x < stride; ++x) {
      const left = x < channels ? 0 : pixels[row + x - channels];
      const up = y === 0 ? 0 : pixels[row + x - stride];
      const corner = x < channels || y === 0 ? 0 : pixels[row + x - stride - channels];
      // PNG (ISO/IEC 15948), 9.4: Paeth takes the neighbour nearest to left + up - corner.
      const guess = left + up - corner;
      const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(guess - value));
      const nearest = toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
      pixels[row + x] = packed[y * (stride + 1) + 1 + x] + [0, left, up, (left + up) >> 1, nearest][filter];
    }
  }
  return { width, height, channels, pixels };
}

export class Region {
  constructor(png) {
    const { width, height, channels, pixels } = decode(png);
    this.width = width;
    this.height = height;
    /// Luminance, 0 to 255 (Rec. 709).
    this.grey = new Float64Array(width * height);
    for (let i = 0; i < this.grey.length; ++i) {
      const [red, green, blue] = pixels.subarray(channels * i, channels * i + 3);
      this.grey[i] = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    }
  }

  at(x, y) {
    return this.grey[Math.floor(y) * this.width + Math.floor(x)];
  }

  /// The grey that most pixels have.
  background() {
    const seen = new Map();
    for (const value of this.grey) seen.set(value, (seen.get(value) ?? 0) + 1);
    return [...seen].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
  }

  /// The share of pixels whose grey is not that of the background.
  inked(contrast = 24) {
    const ground = this.background();
    return this.grey.reduce((sum, value) => sum + (Math.abs(value - ground) > contrast ? 1 : 0), 0) / this.grey.length;
  }

  /// Pixels of a row whose grey is not that of the ground.
  inkedInRow(y, ground, { to = this.width, contrast = 24 } = {}) {
    let count = 0;
    for (let x = 0; x < to; ++x) if (Math.abs(this.at(x, y) - ground) > contrast) ++count;
    return count;
  }
}
