/** Features of the browser that the portal has no use for. */
const declined = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'serial',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ')

/**
 * The headers of the portal's page: it runs and shows the files of its own build alone, talks to its own server alone, makes
 * no markup out of text, and nobody frames it.
 */
export function portalAppHeaders(assetsUrl: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    // The page names the files of one build.
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'permissions-policy': declined,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'content-security-policy': [
      "default-src 'none'",
      `script-src ${assetsUrl}/`,
      `style-src ${assetsUrl}/`,
      "connect-src 'self'",
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
  }
}
