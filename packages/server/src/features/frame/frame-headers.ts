/** Features that the frame declines for itself and whatever it might come to embed. */
const declined = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'otp-credentials',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'usb',
  'window-management',
  'xr-spatial-tracking',
]

/** Of clipboards, writing alone: a person may copy a key that the frame shows, where the page lets the frame do so. */
const permissions = [...declined, 'clipboard-read']
  .map((feature) => `${feature}=()`)
  .concat('clipboard-write=(self)')
  .join(', ')

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy': permissions,
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'cache-control': 'no-store',
  'content-type': 'text/html; charset=utf-8',
}

/** Nothing at all, and nobody frames it: pages for people who come here by themselves. */
export const plainHeaders: Readonly<Record<string, string>> = {
  ...everywhere,
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
}

/** Loopback pages in development; other numbers than 127.0.0.1 cannot be named in a policy (CSP 3, 6.7.2.8). */
const loopback = ['http://localhost:*', 'https://localhost:*', 'http://127.0.0.1:*', 'https://127.0.0.1:*']

/**
 * The headers of the frame: it runs the one script and shows the one style at these exact URLs, talks to the API alone,
 * makes no markup out of text, and appears below the organization's own pages only. Pages that isolate themselves
 * (`Cross-Origin-Embedder-Policy: require-corp`) can embed it, hence CORP `cross-origin` and an embedder policy of its own.
 * `allowedOrigins` are plain origins: any other text could be a wildcard, or a policy of its own.
 */
export function frameHeaders({
  scriptUrl,
  styleUrl,
  apiUrl,
  allowedOrigins,
  isLoopbackAllowed,
}: {
  scriptUrl: string
  styleUrl: string
  apiUrl: string
  allowedOrigins: readonly string[]
  isLoopbackAllowed: boolean
}): Record<string, string> {
  // IPv6 has no form in a policy.
  const listed = allowedOrigins.filter((origin) => !origin.includes('['))
  const ancestors = [...listed, ...(isLoopbackAllowed ? loopback : [])]
  return {
    ...everywhere,
    'cross-origin-resource-policy': 'cross-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'content-security-policy': [
      "default-src 'none'",
      `script-src ${scriptUrl}`,
      `style-src ${styleUrl}`,
      `connect-src ${apiUrl}`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      `frame-ancestors ${ancestors.join(' ')}`,
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
  }
}
