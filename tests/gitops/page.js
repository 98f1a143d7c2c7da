// What tests ask of a page. Evaluated in the page by the tests; nothing of it is ever shipped.
const shown = each => each.getClientRects().length > 0;
const all = (what, within = document) => [...within.querySelectorAll(what)];
const drawings = () => all('svg').filter(shown);
const excerpt = each => each.outerHTML.slice(0, 90);

// Elements that stick out of the screen, but for those inside something that scrolls by itself.
const stickingOut = () => all('body *')
  .filter(each => !each.closest('.scroll, pre, .skip') && shown(each))
  .filter(each => each.getBoundingClientRect().right > innerWidth + 1)
  .map(excerpt);

// Elements that scroll by themselves and cannot be reached with the keyboard, or have no name.
const unreachable = () => all('body *')
  .filter(each => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX == 'auto')
  .filter(each => each.tabIndex != 0 || !each.ariaLabel)
  .map(excerpt);

const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
const rgba = color => {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data];
};
const luminance = color => {
  const [red, green, blue] = color.map(each => each / 255)
    .map(each => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const behind = each => {
  for (; each; each = each.parentElement) {
    const box = each.tagName == 'g' && each.querySelector(':scope > rect:last-of-type');
    const color = rgba(box ? getComputedStyle(box).fill : getComputedStyle(each).backgroundColor);
    if (color[3] == 255) return color;
  }
  return [255, 255, 255];
};
// Texts with a contrast below 4.5 to 1 (WCAG 2.2, 1.4.3).
const poorContrast = () => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const poor = [];
  while (walker.nextNode()) {
    const each = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !shown(each) || each.tagName == 'title') continue;
    const style = getComputedStyle(each);
    const mine = luminance(rgba(each.closest('svg') ? style.fill : style.color));
    const other = luminance(behind(each));
    const ratio = (Math.max(mine, other) + 0.05) / (Math.min(mine, other) + 0.05);
    if (ratio < 4.5) poor.push(`${ratio.toFixed(2)} ${walker.currentNode.data.trim().slice(0, 40)}`);
  }
  return poor;
};

const clash = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const within = (a, b) => a.x >= b.x && a.y >= b.y && a.x + a.width <= b.x + b.width && a.y + a.height <= b.y + b.height;
const pairs = list => list.flatMap((a, n) => list.slice(n + 1).map(b => [a, b]));
const areas = (what, drawing) => all(what, drawing).map(each => each.getBBox());

// Texts in drawings that stick out of their boxes.
const outOfBox = () => drawings().flatMap(drawing => all('g.box', drawing)).flatMap(box => {
  const rect = box.querySelector('rect:last-of-type').getBBox();
  return all('text', box).filter(text => !within(text.getBBox(), rect)).map(text => text.textContent);
});
// Boxes that overlap without one being in the other, and labels that overlap.
const overlaps = () => drawings().flatMap(drawing => [
  ...pairs(areas('g.box > rect:last-of-type', drawing)).filter(([a, b]) => clash(a, b) && !within(a, b) && !within(b, a)),
  ...pairs(areas('.label', drawing)).filter(([a, b]) => clash(a, b)),
]);
const drawingsOfEach = () => all('figure.diagram').map(each => all('svg', each).filter(shown).length);
const smallestScale = () => Math.min(...drawings().map(each => each.getBoundingClientRect().width / each.viewBox.baseVal.width));

const unfold = () => all('details').forEach(each => each.open = true);
const attributes = (what, name) => all(what).map(each => each.getAttribute(name));
