// Charts of figures that the page also shows as tables, and the focus after a page was replaced.
"use strict";

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function drawLine(element) {
  const figures = JSON.parse(element.dataset.line);
  const marks = {
    hooks: {
      draw: (plot) => {
        const { ctx, bbox } = plot;
        ctx.save();
        ctx.strokeStyle = colour("--accent");
        for (const at of figures.evidence) {
          const x = plot.valToPos(at, "x", true);
          ctx.beginPath();
          ctx.moveTo(x, bbox.top + bbox.height);
          ctx.lineTo(x, bbox.top + bbox.height - 10 * devicePixelRatio);
          ctx.stroke();
        }
        ctx.restore();
      },
    },
  };
  // In UTC, as all times of the pages.
  const moment = (at, step) => new Date(at * 1000).toISOString().slice(...(step < 86400 ? [5, 16] : [0, 10])).replace("T", " ");
  const axis = { stroke: colour("--muted"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
  const begin = Math.min(figures.x[0], ...figures.evidence);
  const end = figures.x[figures.x.length - 1];
  const margin = Math.max((end - begin) * 0.02, 3600);
  element.replaceChildren();
  const plot = new uPlot(
    {
      width: element.clientWidth,
      height: 180,
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { range: [begin - margin, end + margin] }, y: { range: [0, 1] } },
      tzDate: (at) => uPlot.tzDate(new Date(at * 1000), "Etc/UTC"),
      axes: [
        { ...axis, space: 90, values: (_, times, __, ___, step) => times.map((at) => moment(at, step)) },
        { ...axis, size: 44, values: (_, values) => values.map((value) => `${Math.round(value * 100)}%`) },
      ],
      series: [{}, { stroke: colour("--accent"), width: 2, fill: colour("--accent-soft"), points: { show: end - begin < margin } }],
      plugins: [marks],
    },
    [figures.x, figures.y],
    element,
  );
  new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: 180 })).observe(element);
}

function drawAll() {
  document.querySelectorAll("[data-line]:empty").forEach(drawLine);
}

document.addEventListener("DOMContentLoaded", drawAll);
document.addEventListener("htmx:after:swap", () => {
  drawAll();
  document.getElementById("content")?.focus({ preventScroll: true });
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  document.querySelectorAll("[data-line]").forEach(drawLine);
});
