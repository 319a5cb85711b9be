/**
 * The style sheet of the built-in pages. It contains only our own text, checked values and the developer's own rules.
 */
import type { OAuthProviderButtonStyles } from '../types/provider-parts.js'
import type { Theme } from '../types/theme.js'
import { contrastingText, markColor, readColor } from './colors.js'

/** Returns the style sheet for a theme. Without a forced colour scheme the browser's preference decides. */
export function styleSheet(theme: Theme): string {
  return [...colorScheme(theme.colorScheme), base, controls, parts, mediaRules, ...themeRules(theme)].join('\n')
}

/**
 * Returns the rule for the badge of a provider at a position on the page. An invalid colour gives no rule. A mark with
 * its own colours has a white background, as brands require.
 */
export function badgeRules(place: number, style: OAuthProviderButtonStyles): string[] {
  if (style.mark !== undefined && typeof style.mark !== 'string') return []
  const color = readColor(style.brandColor) ?? readColor(style.bg)
  if (color === undefined) return []
  const text = style.mark === undefined ? contrastingText(color) : markColor(color)
  return [`.provider-${place} .badge{background:${color};color:${text}}`]
}

const light = `:root{color-scheme:light;
--page:#f3f4f6;--card:#fff;--text:#15181e;--muted:#565d6b;--line:#dde0e6;--edge:#c3c8d2;--field:#fff;--field-line:#868d9b;
--hover:#f5f6f8;--press:#eceef1;--badge:#e6e8ec;--badge-text:#15181e;--link:#1c4fc4;--focus:#1c4fc4;
--note:#eef3fd;--note-line:#c5d5f5;--note-text:#1d3a75;--bad:#fdf2f1;--bad-line:#f1c4bf;--bad-text:#8c1c13;--shadow:0 1px 2px rgb(16 20 30/.05),0 8px 28px rgb(16 20 30/.06);
--accent:#2253cf;--accent-text:#fff}`

const dark = `:root{color-scheme:dark;
--page:#0f1115;--card:#181b21;--text:#eceef2;--muted:#a4abb8;--line:#2d323b;--edge:#474e5b;--field:#12151a;--field-line:#6d7482;
--hover:#20242b;--press:#282d36;--badge:#2d323b;--badge-text:#eceef2;--link:#93b4ff;--focus:#93b4ff;
--note:#182336;--note-line:#31476d;--note-text:#c3d6ff;--bad:#2b1918;--bad-line:#5d2f2b;--bad-text:#ffb9b0;--shadow:none;
--accent:#3564dc;--accent-text:#fff}`

function colorScheme(scheme: Theme['colorScheme']): string[] {
  if (scheme === 'dark') return [dark]
  if (scheme === 'light') return [light]
  return [light, `@media (prefers-color-scheme:dark){${dark}}`]
}

function themeRules(theme: Theme): string[] {
  const accent = readColor(theme.brandColor)
  const text = readColor(theme.buttonText) ?? (accent && contrastingText(accent))
  const { radius, font, css } = theme
  return [
    ...(accent ? [`:root{--accent:${accent}}`] : []),
    ...(text ? [`:root{--accent-text:${text}}`] : []),
    ...(radius === undefined ? [] : [`:root{--radius:${radius}px;--card-radius:${radius}px}`]),
    ...(font === undefined ? [] : [`:root{--font:${font}}`]),
    ...(css === undefined ? [] : [css]),
  ]
}

const base = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;grid-template-columns:minmax(0,26rem);
justify-content:center;align-content:center;padding:2rem 1rem;background:var(--page);color:var(--text);
font:1rem/1.5 var(--font,system-ui),system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans","Liberation Sans",Arial,sans-serif;
-webkit-font-smoothing:antialiased}
.card{padding:2.5rem 2.25rem;background:var(--card);border:1px solid var(--line);border-radius:var(--card-radius,1rem);
box-shadow:var(--shadow);overflow-wrap:anywhere}
.logo{display:block;height:2.75rem;max-width:100%;margin:0 0 1.5rem;object-fit:contain;object-position:left}
[dir=rtl] .logo{object-position:right}
[dir=rtl] strong,[dir=rtl] code{unicode-bidi:isolate}
[dir=rtl] h1{letter-spacing:0}
h1{margin:0;font-size:1.5rem;line-height:1.25;font-weight:650;letter-spacing:-.015em;text-wrap:balance;hyphens:auto}
h2{margin:0;font-size:.875rem;line-height:1.5;font-weight:600}
p{margin:0;text-wrap:pretty}
.lead{margin-top:.375rem;color:var(--muted)}
.lead strong{color:var(--text);font-weight:600}
.text{margin-top:.75rem;color:var(--muted)}
a{color:var(--link);text-underline-offset:.2em;text-decoration-thickness:1px}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px}`

const controls = `
form{margin:0}
label{display:block;margin-bottom:.375rem;font-size:.875rem;font-weight:600}
input{display:block;width:100%;min-height:2.875rem;padding:.5rem .875rem;border:1px solid var(--field-line);
border-radius:var(--radius,.625rem);background:var(--field);color:var(--text);font:inherit}
.with-link{display:grid;grid-template-columns:minmax(0,1fr) fit-content(65%);column-gap:.875rem;align-items:baseline}
.with-link>:not(label,a){grid-column:1/-1;grid-row:2}
.with-link>.hint{grid-row:3}
.with-link>a{grid-area:1/2;min-height:1.5rem;font-size:.875rem;text-align:end}
.hint{margin-top:.375rem;color:var(--muted);font-size:.875rem}
input::placeholder{color:var(--muted);opacity:1}
input:hover{border-color:var(--muted)}
input:focus-visible{border-color:var(--focus);outline-offset:-1px}
input[type=hidden]{display:none}
.marked{position:relative;width:100%}
.fields .marked{margin-top:.375rem}
.marked .button,.marked .button:first-child{margin:0}
.mark{position:absolute;inset-block-start:-.625rem;inset-inline-end:.75rem;padding:0 .5rem;border:1px solid var(--note-line);border-radius:1rem;
background:var(--note);color:var(--note-text);font-size:.75rem;font-weight:600;line-height:1.125rem}
.check{display:flex;align-items:center;gap:.625rem;margin:-.5rem 0;min-height:2.75rem;font-weight:400;font-size:1rem}
input[type=checkbox]{flex:none;width:1.125rem;height:1.125rem;min-height:0;margin:0;accent-color:var(--accent)}
.button,.provider{display:flex;align-items:center;width:100%;min-height:2.875rem;border:1px solid transparent;
border-radius:var(--radius,.625rem);font:inherit;font-weight:600;line-height:1.3;text-decoration:none;cursor:pointer;
transition:background-color .12s,border-color .12s}
.button{justify-content:center;padding:.625rem 1rem;text-align:center;text-wrap:balance;background-color:var(--accent);
border-color:rgb(128 128 128/.3);color:var(--accent-text)}
.button:hover{background-image:linear-gradient(rgb(0 0 0/.12),rgb(0 0 0/.12))}
.button:active{background-image:linear-gradient(rgb(0 0 0/.22),rgb(0 0 0/.22))}
.button svg{flex:none;margin-inline-end:.5rem}
.button.quiet{background:var(--card);border-color:var(--edge);color:var(--text)}
.button.quiet:hover{background:var(--hover);border-color:var(--field-line)}
.button.quiet:active{background:var(--press)}
.as-link{min-height:2.75rem;margin-block:-.625rem;padding:0;border:0;background:none;color:var(--link);font:inherit;text-align:start;text-decoration:underline;
text-underline-offset:.2em;text-decoration-thickness:1px;cursor:pointer}
.as-link:hover{text-decoration-thickness:2px}
.button:disabled{cursor:default;opacity:.6;background-image:none}
.provider{gap:.875rem;padding-block:.5rem;padding-inline:.5625rem .875rem;text-align:start;background:var(--card);
border-color:var(--edge);color:var(--text);font-weight:500}
.provider:hover{background:var(--hover);border-color:var(--field-line)}
.provider:active{background:var(--press)}
.provider.primary{background-color:var(--accent);border-color:rgb(128 128 128/.3);color:var(--accent-text);font-weight:600}
.provider.primary:hover{background-image:linear-gradient(rgb(0 0 0/.12),rgb(0 0 0/.12))}
.provider.primary:active{background-image:linear-gradient(rgb(0 0 0/.22),rgb(0 0 0/.22))}
.badge{flex:none;display:grid;place-items:center;width:1.75rem;height:1.75rem;border-radius:.4375rem;
background:var(--badge);color:var(--badge-text);box-shadow:inset 0 0 0 1px rgb(128 128 128/.35);
font-size:.75rem;font-weight:700;line-height:1;overflow:hidden}
.badge.own{background:#fff}
.badge svg{display:block}
.badge img{display:block;width:100%;height:100%;padding:.1875rem;object-fit:contain;background:#fff}`

const parts = `
.entries{display:grid;gap:.625rem;margin-top:1.75rem}
form.entries{margin-top:0}
.fields{display:grid;gap:1.125rem}
.fields .button{margin-top:.375rem}
.passkey .text{margin:0}
.passkey .button:first-child{margin:0}
.passkey .button+.button{margin-top:-.5rem}
.passkey .or{margin:0}
.passkey .error{margin:0 0 1.125rem}
.or{display:flex;align-items:center;gap:.875rem;margin:.625rem 0;color:var(--muted);font-size:.875rem}
.or::before,.or::after{content:"";flex:1;height:1px;background:var(--line)}
.error{margin-top:1.5rem;padding:.75rem .9375rem;border:1px solid var(--bad-line);border-radius:var(--radius,.625rem);
background:var(--bad);color:var(--bad-text);font-size:.9375rem}
.note{margin-top:1.5rem;padding:.75rem .9375rem;border:1px solid var(--note-line);border-radius:var(--radius,.625rem);
background:var(--note);color:var(--note-text);font-size:.9375rem}
.note a{color:inherit;white-space:nowrap}
.note .user{margin:.625rem 0;padding:0;border:0}
.note .user p>span{color:inherit}
.user{display:flex;align-items:center;gap:.875rem;margin-top:1.5rem;padding:.8125rem .9375rem;
border:1px solid var(--line);border-radius:var(--radius,.625rem)}
.user .badge{width:2.5rem;height:2.5rem;border-radius:50%;font-size:.9375rem;font-weight:600}
.user p{min-width:0;line-height:1.4}
.user p>*{display:block}
.user strong{font-weight:600}
.user p>span{color:var(--muted);font-size:.875rem}
.more{display:grid;gap:.625rem}
.more summary{display:flex;align-items:center;justify-content:center;min-height:2.75rem;color:var(--link);cursor:pointer;font-weight:500;
list-style:none;border-radius:var(--radius,.625rem)}
.more summary::-webkit-details-marker{display:none}
.more summary::after{content:"";width:.5rem;height:.5rem;margin-inline-start:.625rem;border:solid;border-width:0 2px 2px 0;
transform:translateY(-25%) rotate(45deg)}
.more[open] summary::after{transform:translateY(25%) rotate(225deg)}
.more summary:hover{background:var(--hover)}
.more>.entries{margin-top:.625rem}
.concealed{position:relative}
.concealed input{padding-inline-end:3.25rem}
.reveal{position:absolute;inset-block:0;inset-inline-end:0;display:grid;place-items:center;width:2.875rem;padding:0;border:0;
border-radius:var(--radius,.625rem);background:none;color:var(--muted);cursor:pointer}
.reveal:hover{color:var(--text)}
.reveal svg{width:1.375rem;height:1.375rem;fill:none;stroke:currentColor;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}
.reveal[aria-pressed=false] .slash{display:none}
.unseen{position:absolute;width:1px;height:1px;min-height:0;margin:-1px;padding:0;border:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.chosen{display:flex;flex-wrap:wrap;align-items:baseline;justify-content:space-between;gap:.25rem .875rem;margin-top:1.5rem;padding:.8125rem .9375rem;
border:1px solid var(--line);border-radius:var(--radius,.625rem)}
.more-links{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.25rem 1.25rem;font-size:.9375rem}
.more-links a{min-height:1.5rem}
.actions{display:grid;gap:1.125rem;margin-top:1.75rem;justify-items:center;text-align:center}
.actions form{width:100%}
.actions .button+.button{margin-top:.625rem}
.actions.plain{justify-items:start;text-align:start;margin-top:1.5rem}
.entries+ul.plain,.or+ul.plain{margin-top:0}
ul.plain{display:grid;gap:.5rem;margin:1.25rem 0 0;padding:0;list-style:none}
ul.plain a{display:inline-block;min-height:1.5rem}
ul.factors{gap:.625rem;margin-top:1.5rem}
.factors li{padding:.8125rem .9375rem;border:1px solid var(--line);border-radius:var(--radius,.625rem)}
.factors form{display:grid;gap:.75rem}
.factors p span{color:var(--muted);font-size:.875rem}
.entries .text+.button{margin-top:.625rem}
.qr{margin-top:1.25rem}
.qr svg{display:block;width:100%;max-width:15rem;height:auto;margin-inline:auto;border-radius:var(--radius,.625rem)}
.factor-key{margin-top:.75rem;padding:.75rem .875rem;border:1px solid var(--line);border-radius:var(--radius,.625rem);background:var(--page);text-align:center;text-wrap:balance}
.codes{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:.5rem 1rem;margin:1.25rem 0 0;padding:.875rem;
border:1px solid var(--line);border-radius:var(--radius,.625rem);background:var(--page);list-style:none;text-align:center}
.codes code{white-space:nowrap}
.tools{display:flex;flex-wrap:wrap;gap:.625rem;margin-top:.625rem}
.tools .button{flex:1 1 7rem;width:auto}
.tools .button[hidden]{display:none}
.text:empty{margin:0}
.only-print{display:none}
.detail{margin-top:2rem;padding-top:1.25rem;border-top:1px solid var(--line)}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,monospace}
pre{margin:.5rem 0 0;padding:.75rem .875rem;border:1px solid var(--line);border-radius:var(--radius,.625rem);background:var(--page);color:var(--text);
font:.8125rem/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;
white-space:pre-wrap;overflow-wrap:anywhere}`

const mediaRules = `
@media (max-width:30rem){
body{align-content:start;padding:0;background:var(--card);grid-template-columns:minmax(0,1fr)}
.card{padding:2.5rem 1.25rem;border:0;border-radius:0;box-shadow:none}}
@media (prefers-reduced-motion:reduce){*{transition:none!important}}
@media print{.no-print{display:none!important}.only-print{display:block}}
@media (forced-colors:active){.badge{border:1px solid}}`
