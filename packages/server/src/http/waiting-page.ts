/** The page shown while browser assets are being built. It reloads itself. */
export const waitingPage = (what: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="1">
<title>Almost there</title>
</head>
<body>
<h1>Almost there</h1>
<p>${what} is being built. This page opens by itself, usually within seconds.</p>
</body>
</html>
`
