const texts = [
  'hello',
  'a',
  'line one\nline two',
  'Grüße, 世界 🚀',
  '0x',
  'delete \x7f',
  'tilde ~',
  ' leading and trailing ',
  '{"json":true}',
  '€'.repeat(500),
  'x'.repeat(1147),
  'x'.repeat(1148),
  'long '.repeat(2000),
]

/** Texts that take every path of the schemes: ASCII, UTF-8, lengths around packet limits. */
export function sampleText(index: number): string {
  return `${texts[index % texts.length] ?? ''}${index < texts.length ? '' : index}`
}
