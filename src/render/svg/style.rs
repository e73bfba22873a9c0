//! How things look in an SVG: colours, patterns and symbols. Shape and pattern say what a thing
//! is; colour only repeats it, so that a copy in black and white says the same.

use crate::render::chart::MarkKind;

/// Colours are told apart by people who do not tell red from green, too.
pub(super) const STYLE: &str = "\
text{font-family:Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif;fill:#1a1a1a}
.bold{font-weight:bold}
.soft{fill:#555}
.light{fill:#fff}
.on{pointer-events:none}
.paper{fill:#fff}
.stripe{fill:#f4f4f4}
.axis{stroke:#333;stroke-width:1}
.stretched{stroke:#333;stroke-width:1;stroke-dasharray:2 2}
.grid{stroke:#d5d5d5;stroke-width:.6}
.guide{stroke:#888;stroke-width:.6;stroke-dasharray:1 3}
.life{stroke:#444;stroke-width:2}
.waits{stroke:#444;stroke-width:1;stroke-dasharray:1 3}
.ending{stroke:#444;stroke-width:2;stroke-dasharray:4 3}
.edge{stroke:#1a1a1a;stroke-width:1.5}
.noexecute{fill:#7a2d00;stroke:#1a1a1a;stroke-width:.8}
.other{fill:url(#ts-dots);stroke:#333;stroke-width:.8;stroke-dasharray:3 2}
.window{fill:url(#ts-hatch);stroke:#1a1a1a;stroke-width:.8}
.label{fill:#fff5e2}
.deletion{fill:#1a1a1a}
.down{fill:url(#ts-cross);stroke:#333;stroke-width:.8}
.flag{fill:#fff;stroke:#1a1a1a;stroke-width:1}
.refused{fill:#fff;stroke:#1a1a1a;stroke-width:1;stroke-dasharray:2 1.5}
.cut{stroke:#333;stroke-width:1}
.gap{fill:#fff}
";

/// Patterns and symbols. Each symbol is about ten pixels wide around its origin.
pub(super) const SYMBOLS: &str = "\
<pattern id=\"ts-hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">\
<rect width=\"6\" height=\"6\" fill=\"#fbe3b8\"/>\
<path d=\"M-1 7L7-1M-1 1L1-1M5 7L7 5\" stroke=\"#b06a00\" stroke-width=\".9\"/></pattern>
<pattern id=\"ts-dots\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\">\
<rect width=\"5\" height=\"5\" fill=\"#e3eef7\"/>\
<circle cx=\"1.2\" cy=\"1.2\" r=\".6\" fill=\"#4a7fa8\"/></pattern>
<pattern id=\"ts-cross\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\">\
<rect width=\"5\" height=\"5\" fill=\"#eee\"/>\
<path d=\"M0 0L5 5M5 0L0 5\" stroke=\"#777\" stroke-width=\".6\"/></pattern>
<g id=\"ts-evicted\"><path d=\"M0-6L6 0L0 6L-6 0Z\" fill=\"#1a1a1a\" stroke=\"#fff\" \
stroke-width=\".8\"/></g>
<g id=\"ts-again\"><path d=\"M0-5L5 0L0 5L-5 0Z\" fill=\"#fff\" stroke=\"#1a1a1a\" \
stroke-width=\"1.3\"/></g>
<g id=\"ts-failed\"><path d=\"M-4.5-4L4.5-4L0 4Z\" fill=\"#fff\" stroke=\"#1a1a1a\" \
stroke-width=\"1.3\"/></g>
<g id=\"ts-gaveup\"><path d=\"M-5-5H5V5H-5Z\" fill=\"#fff\" stroke=\"#1a1a1a\" \
stroke-width=\"1.3\"/><path d=\"M-5-5L5 5M5-5L-5 5\" stroke=\"#1a1a1a\" \
stroke-width=\"1.3\"/></g>
<g id=\"ts-cancelled\"><circle r=\"5.4\" fill=\"#fff\" stroke=\"#00684a\" stroke-width=\"1.3\"/>\
<path d=\"M-3.2-3.2L3.2 3.2M3.2-3.2L-3.2 3.2\" stroke=\"#00684a\" stroke-width=\"1.6\"/></g>
<g id=\"ts-lost\"><circle r=\"5.4\" fill=\"#fff\" stroke=\"#1a1a1a\" stroke-width=\"1.3\" \
stroke-dasharray=\"2 1.4\"/><path d=\"M-3 0H3\" stroke=\"#1a1a1a\" stroke-width=\"1.6\"/></g>
<g id=\"ts-open\"><path d=\"M-4-6L4 0L-4 6\" fill=\"#fff\" stroke=\"#1a1a1a\" \
stroke-width=\"1.3\"/></g>
<g id=\"ts-removed\"><path d=\"M0-6V6\" stroke=\"#1a1a1a\" stroke-width=\"2\"/></g>
<g id=\"ts-created\"><circle r=\"3\" fill=\"#444\"/></g>
<g id=\"ts-bound\"><path d=\"M-5 4.5L5 4.5L0-4.5Z\" fill=\"#fff\" stroke=\"#1a1a1a\" \
stroke-width=\"1.3\"/></g>
<g id=\"ts-tolerations\"><path d=\"M-4.5-4.5H4.5V4.5H-4.5Z\" fill=\"#fff\" stroke=\"#1a1a1a\" \
stroke-width=\"1.3\"/><path d=\"M-2.5-2H2.5M0-2V3\" stroke=\"#1a1a1a\" stroke-width=\"1.2\"/></g>
<g id=\"ts-note\"><path d=\"M-4.5-5H2L4.5-2V5H-4.5Z\" fill=\"#fff\" stroke=\"#1a1a1a\" \
stroke-width=\"1.1\"/><path d=\"M-2.5-1H2.5M-2.5 2H2.5\" stroke=\"#1a1a1a\" \
stroke-width=\".9\"/></g>
<g id=\"ts-watch\"><path d=\"M-5 0Q0-6 5 0Q0 6-5 0Z\" fill=\"#fff\" stroke=\"#1a1a1a\" \
stroke-width=\"1.1\"/><path d=\"M-4 4L4-4\" stroke=\"#1a1a1a\" stroke-width=\"1.3\"/></g>
<g id=\"ts-seen\"><path d=\"M-5 0Q0-6 5 0Q0 6-5 0Z\" fill=\"#fff\" stroke=\"#1a1a1a\" \
stroke-width=\"1.1\"/><circle r=\"1.8\" fill=\"#1a1a1a\"/></g>
<g id=\"ts-several\"><circle r=\"1.6\" fill=\"#1a1a1a\"/></g>
";

/// A symbol with its words in the legend; where several are at one place, the first of the order
/// is drawn.
pub(super) const ORDER: [(&str, &str); 14] = [
    ("evicted", "evicted"),
    ("gaveup", "eviction given up"),
    ("cancelled", "timer cancelled"),
    ("lost", "timer lost with the controller"),
    ("open", "timer still armed"),
    ("again", "deleted again"),
    ("failed", "DELETE failed"),
    ("removed", "object gone"),
    ("tolerations", "tolerations changed"),
    ("bound", "bound to a node"),
    ("created", "created"),
    ("note", "note"),
    ("watch", "watch broken"),
    ("seen", "listed again"),
];

/// The symbol of a mark; what bars or flags show has none.
pub(super) fn symbol(kind: MarkKind) -> Option<&'static str> {
    Some(match kind {
        MarkKind::Evicted => "evicted",
        MarkKind::GaveUp => "gaveup",
        MarkKind::DeletedAgain => "again",
        MarkKind::DeleteFailed => "failed",
        MarkKind::Removed | MarkKind::NodeDeleted => "removed",
        MarkKind::TolerationsChanged => "tolerations",
        MarkKind::PodBound => "bound",
        MarkKind::PodCreated | MarkKind::NodeCreated => "created",
        MarkKind::Note => "note",
        MarkKind::WatchBroken => "watch",
        MarkKind::WatchRelisted => "seen",
        MarkKind::Step
        | MarkKind::StepRejected
        | MarkKind::TaintsChanged
        | MarkKind::Armed
        | MarkKind::Cancelled
        | MarkKind::Started
        | MarkKind::Terminating
        | MarkKind::ControllerStopped
        | MarkKind::ControllerStarted => return None,
    })
}

/// The place of a symbol in [`ORDER`].
pub(super) fn rank(symbol: &str) -> usize {
    ORDER.iter().position(|(id, _)| *id == symbol).unwrap_or(ORDER.len())
}
